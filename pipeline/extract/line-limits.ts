export interface LineLimits {
  /** Longest line that is read, without its end. */
  readonly lineBytes: number;
  /** Most `{ [ , :` outside strings that a line may have. */
  readonly structureCount: number;
  /** Deepest nesting of objects and lists. */
  readonly depth: number;
}

/**
 * Measured on Node 20: one of `{ [ , :` stands for at most 80 bytes of parsed values (objects of one key that
 * no other object has), so 8 million of them take 650 MB; a worker's heap holds 2,048 MB, and running out of
 * it ends the whole process. JSON.stringify nests 4,097 levels on the main thread and 16,547 in a worker;
 * half of the smaller one leaves room for its callers.
 */
export const LINE_LIMITS: LineLimits = {
  lineBytes: 256 * 1024 * 1024,
  structureCount: 8_000_000,
  depth: 2_000,
};

/** Lines below this can't exhaust the heap, whatever is in them, so nothing in them is counted. */
const COUNTED_LINE_BYTES = 8 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True where the values in a line would take so much memory that parsing must not be tried. */
export function isTooDense(bytes: Buffer, start: number, end: number, limits: LineLimits): boolean {
  if (end - start < Math.min(COUNTED_LINE_BYTES, limits.structureCount)) return false;
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1, end);
    else if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) count += 1;
    if (count > limits.structureCount) return true;
  }
  return false;
}

function endOfString(bytes: Buffer, start: number, end: number): number {
  for (let from = start; ; ) {
    const at = bytes.indexOf(QUOTE, from);
    if (at < 0 || at >= end) return end;
    let escapes = 0;
    while (at - escapes > start && bytes[at - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
    from = at + 1;
  }
}

/** True where objects and lists are nested deeper than the limit, the value itself being the first level. */
export function isTooDeep(value: object, depth: number): boolean {
  if (depth === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isObject(inner) && isTooDeep(inner, depth - 1));
  return Object.values(value).some((inner) => isObject(inner) && isTooDeep(inner, depth - 1));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
