/** Usage of a tool result that may stand for a sub-agent's own session file. */
export interface ChildClaim {
  readonly sessionKey: string;
  readonly entrySeq: number;
  readonly usageSeq: number;
  readonly runId: string | null;
  readonly runIndex: number | null;
  /** The session file as the result names it, on the machine of that time. */
  readonly path: string | null;
  /** When the result was written; milliseconds since 1970. */
  readonly occurredAtMs: number | null;
}

export interface ChildCandidate {
  readonly sessionKey: string;
  readonly machine: string;
  readonly path: string;
  readonly isPresent: boolean;
  /** Session whose file names the folder that this one lies below. */
  readonly parentKey: string | null;
  /** Path below that folder. */
  readonly restPath: string | null;
  readonly headerAtMs: number | null;
}

export interface ChildLink {
  readonly claim: ChildClaim;
  readonly childKey: string;
}

/**
 * A file name such as `session.jsonl` says little, so a shorter common end would join other runs:
 * the name, its run folder and the folder named after the parent's file have to agree.
 */
const LEAST_COMMON_PARTS = 3;

/** `2026-05-04T09-00-00-000Z_<id>.jsonl`, a name that Pi makes and that no second session has. */
const OWN_NAME = /^\d{4}-\d\d-\d\dT.*_.+\.jsonl$/;

/**
 * Finds the session of each sub-agent's run (design rule 6): by the longest common end of the paths,
 * else by its place below `<parent file>/<run id>/`.
 */
export function linkChildren(
  claims: readonly ChildClaim[],
  candidates: readonly ChildCandidate[],
): ChildLink[] {
  const byName = groupBy(candidates, (candidate) => lastPart(candidate.path));
  const byParent = groupBy(
    candidates.filter((candidate) => candidate.parentKey !== null),
    (candidate) => candidate.parentKey ?? "",
  );
  return claims.flatMap((claim) => {
    const child =
      findByPath(claim, byName.get(lastPart(claim.path ?? "")) ?? []) ??
      findByPlace(claim, byParent.get(claim.sessionKey) ?? []);
    return child === null ? [] : [{ claim, childKey: child.sessionKey }];
  });
}

function findByPath(claim: ChildClaim, sameName: readonly ChildCandidate[]): ChildCandidate | null {
  if (claim.path === null) return null;
  const wanted = parts(claim.path);
  const ranked = sameName
    .filter((candidate) => candidate.sessionKey !== claim.sessionKey)
    .map((candidate) => ({ candidate, common: commonEnd(wanted, parts(candidate.path)) }))
    .filter(({ common }) => common >= LEAST_COMMON_PARTS || OWN_NAME.test(wanted.at(-1) ?? ""))
    .sort(
      (a, b) =>
        b.common - a.common ||
        Number(b.candidate.parentKey === claim.sessionKey) -
          Number(a.candidate.parentKey === claim.sessionKey) ||
        bestFirst(claim)(a.candidate, b.candidate),
    );
  return ranked[0]?.candidate ?? null;
}

function findByPlace(claim: ChildClaim, children: readonly ChildCandidate[]): ChildCandidate | null {
  const fitting = children.filter((child) => isRunFolder(claim, parts(child.restPath ?? "").slice(0, -1)));
  return [...fitting].sort(bestFirst(claim))[0] ?? null;
}

function isRunFolder(claim: ChildClaim, folders: readonly string[]): boolean {
  const index = String(claim.runIndex ?? 0);
  const isRun = (name: string | undefined): boolean => name === claim.runId || name === `run-${claim.runId}`;
  if (claim.runId === null) return folders.length === 1 && folders[0] === `run-${index}`;
  if (folders.length === 1) return isRun(folders[0]) && index === "0";
  return folders.length === 2 && isRun(folders[0]) && (folders[1] === `run-${index}` || folders[1] === index);
}

/** A session that began after the result was written took the place of the one that it tells of. */
function bestFirst(claim: ChildClaim): (a: ChildCandidate, b: ChildCandidate) => number {
  const isLater = (child: ChildCandidate): boolean =>
    child.headerAtMs !== null && claim.occurredAtMs !== null && child.headerAtMs > claim.occurredAtMs;
  return (a, b) => {
    if (isLater(a) !== isLater(b)) return isLater(a) ? 1 : -1;
    if (a.isPresent !== b.isPresent) return a.isPresent ? -1 : 1;
    const [one, other] = [`${a.path}\n${a.sessionKey}`, `${b.path}\n${b.sessionKey}`];
    return one < other ? -1 : one > other ? 1 : 0;
  };
}

/** Windows paths of another machine come with backslashes. */
function parts(path: string): string[] {
  return path.replaceAll("\\", "/").split("/");
}

function lastPart(path: string): string {
  return parts(path).at(-1) ?? "";
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count))
    count += 1;
  return count;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
