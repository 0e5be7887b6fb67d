const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = ["true", "false", "null"];
const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPED = '"\\/bfnrt';

interface Problem {
  /** Character, from 0. */
  readonly at: number;
  readonly what: string;
}

/** What may stand next: "first…" also takes the bracket that closes an empty list or object. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "comma" | "end";

/**
 * Says what is wrong with a text that JSON.parse refuses, and at which character (UTF-16 unit, from 1). The
 * engine's own message quotes the text and differs from version to version, so it can't be shown.
 */
export function describeJsonProblem(text: string): string {
  const problem = findProblem(text);
  if (problem === null) return "not valid JSON";
  return `not valid JSON at character ${problem.at + 1}: ${problem.what}`;
}

/** First place where the text departs from the grammar of JSON, or null if it doesn't. */
export function findProblem(text: string): Problem | null {
  const closers: string[] = [];
  let expected: Expected = "value";
  for (let at = skipSpace(text, 0); ; at = skipSpace(text, at)) {
    const next = text.charAt(at);
    if (next === "") return expected === "end" ? null : { at, what: "ends too early" };
    if (expected === "end") return { at, what: "text after the value" };
    if (expected === "colon" || (expected === "comma" && next === ",")) {
      if (expected === "colon" && next !== ":") return { at, what: "expected a colon" };
      expected = expected === "colon" || closers.at(-1) === "]" ? "value" : "key";
      at += 1;
    } else if (next === closers.at(-1) && expected !== "value" && expected !== "key") {
      closers.pop();
      expected = closers.length === 0 ? "end" : "comma";
      at += 1;
    } else if (expected === "comma") {
      return { at, what: `expected a comma or ${closers.at(-1)}` };
    } else if (expected === "key" || expected === "first key") {
      if (next !== '"') return { at, what: "expected a key" };
      const end = endOfString(text, at);
      if (typeof end !== "number") return end;
      at = end;
      expected = "colon";
    } else if (next === "{" || next === "[") {
      closers.push(next === "{" ? "}" : "]");
      expected = next === "{" ? "first key" : "first value";
      at += 1;
    } else {
      const end = endOfScalar(text, at, next);
      if (typeof end !== "number") return end;
      at = end;
      expected = closers.length === 0 ? "end" : "comma";
    }
  }
}

function endOfScalar(text: string, at: number, first: string): number | Problem {
  if (first === '"') return endOfString(text, at);
  const literal = LITERALS.find((word) => text.startsWith(word, at));
  if (literal !== undefined) return at + literal.length;
  NUMBER.lastIndex = at;
  if (NUMBER.test(text)) return NUMBER.lastIndex;
  return { at, what: "expected a value" };
}

function endOfString(text: string, start: number): number | Problem {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { at, what: "control character in a string" };
    if (code !== 0x5c) continue;
    const escape = text.charAt(at + 1);
    if (escape === "") break;
    if (escape === "u" && HEX4.test(text.slice(at + 2, at + 6))) at += 5;
    else if (ESCAPED.includes(escape)) at += 1;
    else return { at, what: "bad escape" };
  }
  return { at: text.length, what: "string without an end" };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) break;
  }
  return at;
}
