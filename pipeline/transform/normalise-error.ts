import { asRecord, asString } from "./fields.js";

const READ_CHARS = 4_000;
const KEPT_CHARS = 500;

/** In this order: what a later pattern would cut to pieces goes first. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]}]+/gi, "<url>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]*:[0-9a-f:]*\](?::\d+)?|::1(?::\d+)?/gi, "<address>"],
  [
    /\blocalhost(?::\d+)?\b|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|ai|dev|cloud|app|local|internal)\b(?::\d+)?/gi,
    "<address>",
  ],
  [
    /\b(?:req|request|msg|resp|chatcmpl|org|proj|toolu|call|run|gen|rs|fc|sess|user|key|batch|file)[-_](?=[\w-]*\d)[\w-]{6,}/gi,
    "<id>",
  ],
  [/([a-z0-9])[-@](?:20\d{6}|20\d\d-\d\d-\d\d)(?:-v\d+(?::\d+)?)?\b/gi, "$1"],
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-f]{8,}\b/gi, "<id>"],
  [/\b(?=[A-Za-z_]*\d)\w{20,}\b/g, "<id>"],
  [/\b\d+(?:\.\d+)?(?:ms|s|m|h|d)(?:\d+(?:\.\d+)?(?:ms|s|m|h))*\b/g, "<n>"],
  [/\d{5,}(?:[.,]\d+)*/g, "<n>"],
  [/(?<![\w<-])\d+(?:[.,]\d+)*/g, "<n>"],
  [/\s+/g, " "],
];

const STATUS = /^\s*(?:error:?\s*)?([45]\d\d)\b[\s:,-]*/i;

/**
 * An error message without what differs from one occurrence to the next: numbers, ids, addresses, times, dates
 * of models. A leading HTTP status stays. A JSON body gives way to the message in it, because versions of Pi
 * wrap the same answer in different ways.
 */
export function normaliseError(message: string): string {
  const read = message.slice(0, READ_CHARS);
  const status = STATUS.exec(read);
  const body = bodyMessage(status === null ? read : read.slice(status[0].length));
  const plain = replaceAll(body).trim();
  const normal = status === null ? plain : `${status[1]} ${plain}`;
  return normal.trim().slice(0, KEPT_CHARS);
}

function replaceAll(text: string): string {
  let normal = text;
  for (const [pattern, replacement] of REPLACEMENTS) normal = normal.replace(pattern, replacement);
  return normal;
}

function bodyMessage(body: string): string {
  if (!body.startsWith("{")) return body;
  try {
    const parsed = asRecord(JSON.parse(body));
    const error = asRecord(parsed?.["error"]);
    return asString(error?.["message"]) ?? asString(parsed?.["message"]) ?? body;
  } catch {
    return body;
  }
}
