/** SQL expressions of what ranks a record among its copies. */
export interface RankParts {
  readonly isPaid: string;
  readonly session: string;
  readonly machine: string;
  readonly path: string;
  readonly lineNumber: string;
}

/** More records than a file can hold, so that a fuller edition sorts first. */
const MOST_RECORDS = 2 ** 31;

/**
 * Text that sorts as the owner rule does (design rule 2): paid before not, with a folder before without,
 * older header, smaller session id, more records, machine, path, line. Ids and paths are ended by a
 * character that sorts before any of theirs.
 */
export function ownerRankSql({ isPaid, session, machine, path, lineNumber }: RankParts): string {
  return [
    `case when ${isPaid} then '0' else '1' end`,
    `case when ${session}.project_path is null then '1' else '0' end`,
    `coalesce(lpad(cast(epoch_ms(${session}.header_at) as varchar), 15, '0'), 'none')`,
    `${session}.session_id || chr(1)`,
    `lpad(cast(${MOST_RECORDS} - ${session}.record_count as varchar), 10, '0')`,
    `${machine} || chr(1)`,
    `${path} || chr(1)`,
    `lpad(cast(${lineNumber} as varchar), 10, '0')`,
  ].join(" || ");
}
