import { asRecord, asString, emptyLeftover } from "./fields.js";

/** Stands for a value that is nested too deeply, or too large, to be written as JSON again. */
const UNKEPT = '{"unkept":"too deep or too large"}';

const SIGNATURE_FIELDS: ReadonlySet<string> = new Set([
  "thinkingSignature",
  "textSignature",
  "thoughtSignature",
]);

/**
 * A kept part of a record as JSON. Images and opaque signatures are not stored: their sizes stand in their
 * place. Arguments of tool calls stay as they are, whatever they look like.
 */
export function toJson(value: unknown): string {
  try {
    const json = JSON.stringify(value) ?? "null";
    return mayHoldBulk(json) ? JSON.stringify(withoutBulk(value)) : json;
  } catch (error) {
    if (error instanceof RangeError) return UNKEPT;
    throw error;
  }
}

/** Bytes behind a base64 text. */
export function decodedBytes(base64: string): number {
  const length = base64.length;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((length * 3) / 4) - padding);
}

export function imageStub(image: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const stub = emptyLeftover();
  for (const key of Object.keys(image)) if (key !== "data") stub[key] = image[key];
  stub["bytes"] = decodedBytes(asString(image["data"]) ?? "");
  return stub;
}

function mayHoldBulk(json: string): boolean {
  return json.includes('Signature"') || (json.includes('"image"') && json.includes('"data"'));
}

function withoutBulk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBulk);
  const record = asRecord(value);
  if (record === null) return value;
  if (record["type"] === "image" && typeof record["data"] === "string") return imageStub(record);
  const kept = emptyLeftover();
  for (const key of Object.keys(record)) kept[key] = withoutBulkField(key, record[key]);
  return kept;
}

function withoutBulkField(key: string, value: unknown): unknown {
  if (key === "arguments") return value;
  if (SIGNATURE_FIELDS.has(key) && typeof value === "string") return { bytes: Buffer.byteLength(value) };
  return withoutBulk(value);
}
