export type ErrorClass =
  | "rate_limit"
  | "overloaded"
  | "auth"
  | "quota"
  | "context_length"
  | "network"
  | "server"
  | "aborted"
  | "other";

interface Rule {
  readonly errorClass: ErrorClass;
  readonly statuses?: readonly number[];
  readonly words?: RegExp;
}

/**
 * The first rule that fits decides; words are matched in lower case. Words that name one cause stand before
 * statuses, because providers share 400 and 429 among causes; vague words stand last.
 */
const RULES: readonly Rule[] = [
  {
    errorClass: "quota",
    words:
      /insufficient[ _](?:quota|credits?|funds|balance)|exceeded your current quota|credit balance|out of (?:extra usage|credits|tokens)|billing|payment required|usage[ _]limit|spend(?:ing)? limit|requires more credits|(?:any|no) credits|quota_exceeded|key limit exceeded|used up your|monthly[^.]*(?:quota|credits)/,
  },
  {
    errorClass: "rate_limit",
    words:
      /rate[ _-]?limit|too many requests|throttl|(?:tokens|requests|input tokens) per (?:second|minute|min|hour|day)|resource[_ ]exhausted|concurrency limit/,
  },
  {
    errorClass: "context_length",
    words:
      /prompt is too long|context[ _-]?(?:length|window|size|limit)|maximum (?:context|number of tokens|prompt length)|too many (?:input |total )?tokens|input (?:is|was) too (?:long|large)|(?:input|prompt) token count|(?:max|maximum)[_ ](?:model_len|seq(?:uence)?[_ ]len)|reduce the length|request_too_large|exceeds? the (?:available|maximum|model)[^.]*(?:token|context)/,
  },
  {
    errorClass: "overloaded",
    statuses: [529],
    words:
      /overloaded|over capacity|(?:at|no|insufficient) capacity|capacity exceeded|(?:engine|model|server|service) (?:is )?(?:currently |too )?busy|high demand|temporarily unavailable due to/,
  },
  {
    errorClass: "auth",
    statuses: [401, 403],
    words:
      /(?:invalid|incorrect|missing|no|expired) (?:x-)?api[ -_]?key|api key (?:not|is|was|has|expired)|unauthori[sz]ed|authenticat|permission[_ ](?:denied|error)|access[ _]?denied|forbidden|(?:invalid|expired)[ _](?:auth |access |refresh |bearer |security )?token|expiredtoken|token [^.]{0,40}expired|unrecognizedclient|signaturedoesnotmatch|could not load credentials|not logged in|oauth/,
  },
  { errorClass: "quota", statuses: [402] },
  { errorClass: "rate_limit", statuses: [429] },
  { errorClass: "context_length", statuses: [413] },
  { errorClass: "server", statuses: [500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530] },
  { errorClass: "network", statuses: [408] },
  {
    errorClass: "network",
    words:
      /\be(?:connrefused|connreset|connaborted|notfound|timedout|hostunreach|netunreach|pipe|ai_again|proto)\b|und_err|fetch failed|(?:cannot|could not|failed to|unable to) connect|typo in the url|socket|connection|network|dns|getaddrinfo|\btls\b|\bssl\b|certificate|terminated|premature|stream (?:ended|closed|was reset)|other side closed|time(?:d)?[ -]?out|http2|goaway|no response/,
  },
  {
    errorClass: "server",
    words:
      /internal (?:server )?error|bad gateway|service[ _]?unavailable|gateway time|server[ _]error|api_error|upstream|internalserverexception|model(?:stream)?error|provider returned error|try again later/,
  },
  { errorClass: "aborted", words: /\babort(?:ed|error)?\b|cancell?ed/ },
];

const STATUS = /^(?:[a-z]*error:? *)?(?:http[ /]?)?(?:status(?: code)?:? *)?([1-5]\d\d)\b/;
const INNER_STATUS =
  /(?:status(?: ?code)?|"(?:code|status)"|error code|http)\b[ "':=(]*([45]\d\d)\b|\(([45]\d\d)\)/;
const READ_CHARS = 4_000;

/** Class of a failed request, from its leading status and the words of its message. */
export function classifyError(message: string, stopReason: string | null): ErrorClass {
  if (stopReason === "aborted") return "aborted";
  const words = message.slice(0, READ_CHARS).toLowerCase();
  const status = statusOf(words.trimStart());
  for (const rule of RULES) {
    if (rule.words?.test(words) === true) return rule.errorClass;
    if (status !== null && rule.statuses?.includes(status) === true) return rule.errorClass;
  }
  return "other";
}

function statusOf(words: string): number | null {
  const leading = STATUS.exec(words)?.[1];
  if (leading !== undefined) return Number(leading);
  const inner = INNER_STATUS.exec(words);
  const status = inner?.[1] ?? inner?.[2];
  return status === undefined ? null : Number(status);
}
