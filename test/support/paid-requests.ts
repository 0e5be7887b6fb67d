import { readFileSync } from "node:fs";

/** What one request was paid: whole nanodollars, so that sums are exact. */
export interface Paid {
  readonly nanoUsd: bigint;
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
}

export const NOTHING: Paid = { nanoUsd: 0n, input: 0n, output: 0n, cacheRead: 0n, cacheWrite: 0n };

/** What can carry usage. Pi sums no usage of an entry of a type that it does not know. */
const CARRIERS: ReadonlySet<unknown> = new Set(["assistant", "compaction", "branch_summary", "usage"]);

type Loose = Readonly<Record<string, unknown>>;

/**
 * Spend of session files by a second, plain reading of them, which shares no code with the product: a
 * request is one by when it was asked and answered, by whom, and what it used; a tool result counts what its
 * sub-agents reported, or its own sum where that is more, unless the sub-agent's own file is among the files.
 */
export function paidRequests(paths: readonly string[]): Map<string, Paid> {
  const requests = new Map<string, Paid>();
  const reported: { key: string; result: Loose }[] = [];
  for (const path of paths) {
    for (const record of sessionRecords(path)) {
      const message = objectOf(record["message"]);
      const usage = objectOf(message["usage"] ?? record["usage"]);
      const role = message["role"] ?? record["type"];
      const key = JSON.stringify([
        Date.parse(String(record["timestamp"])),
        message["timestamp"],
        role,
        message["toolCallId"],
        message["model"] ?? record["model"],
        usage,
      ]);
      if (role === "toolResult") reported.push({ key, result: message });
      else if (CARRIERS.has(role)) requests.set(key, paidOf(usage));
    }
  }
  for (const { key, result } of reported) {
    const own = paidOf(objectOf(result["usage"]));
    const children = childrenOf(result).filter((child) => !isLoaded(child, paths));
    const hasLoadedChild = childrenOf(result).length > children.length;
    const inDetails = sumOf(children.map((child) => paidOf(objectOf(child["usage"]))));
    requests.set(key, hasLoadedChild || inDetails.nanoUsd >= own.nanoUsd ? inDetails : own);
  }
  return requests;
}

/** Records behind the header of a session file; none for a file that is no session. */
export function sessionRecords(path: string): Loose[] {
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  const objects = text.split("\n").map(parse);
  const header = objects.slice(0, 10).findIndex((object) => object?.["type"] === "session");
  if (header < 0) return [];
  return objects
    .slice(header + 1)
    .flatMap((object) => (object === null || object["type"] === "session" ? [] : [object]));
}

export function sumOf(parts: Iterable<Paid>): Paid {
  let sum = NOTHING;
  for (const part of parts) {
    sum = {
      nanoUsd: sum.nanoUsd + part.nanoUsd,
      input: sum.input + part.input,
      output: sum.output + part.output,
      cacheRead: sum.cacheRead + part.cacheRead,
      cacheWrite: sum.cacheWrite + part.cacheWrite,
    };
  }
  return sum;
}

/** Dollars as the nearest whole number of nanodollars; what is no amount of money is nothing. */
export function nanoUsd(dollars: unknown): bigint {
  if (typeof dollars !== "number" || !(dollars >= 0 && dollars < 1_000_000)) return 0n;
  return BigInt(Math.round(dollars * 1e9));
}

/** Usage of a message, whose cost is an object, or of a sub-agent, whose cost is a number. */
export function paidOf(usage: Loose): Paid {
  const cost = usage["cost"];
  return {
    nanoUsd: nanoUsd(typeof cost === "number" ? cost : objectOf(cost)["total"]),
    input: tokenCount(usage["input"]),
    output: tokenCount(usage["output"]),
    cacheRead: tokenCount(usage["cacheRead"]),
    cacheWrite: tokenCount(usage["cacheWrite"]),
  };
}

export function tokenCount(value: unknown): bigint {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : 0n;
}

function childrenOf(result: Loose): Loose[] {
  const details = objectOf(result["details"]);
  const completions = listOf(details["completions"]).flatMap((one) => listOf(objectOf(one)["results"]));
  return [...listOf(details["results"]), ...completions].map(objectOf).filter((child) => "usage" in child);
}

function isLoaded(child: Loose, paths: readonly string[]): boolean {
  const file = child["sessionFile"];
  if (typeof file !== "string") return false;
  const end = file.split("/").slice(-3).join("/");
  return paths.some((path) => path.endsWith(end));
}

function parse(line: string): Loose | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? objectOf(value) : null;
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
