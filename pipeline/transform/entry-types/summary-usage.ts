import type { RawRecord } from "../../flow.js";
import { asRecord, type Leftover, withPart } from "../fields.js";
import { addOptionalPiUsage } from "../pi-totals.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { putUsage, usageLeftover } from "../usage.js";
import { startUsageRow } from "../usage-rows.js";

/**
 * Usage of a summary, which names no model: Pi asks the one in use on the branch. Gives back what is left
 * of the record with what is left of its usage.
 */
export function readSummaryUsage(
  record: RawRecord,
  entry: Entry,
  session: Session,
  source: "compaction" | "branch_summary",
  left: Leftover | null,
): Leftover | null {
  addOptionalPiUsage(session.piTotals, record["usage"]);
  const usage = asRecord(record["usage"]);
  if (usage === null) return left;
  const model = session.models.at(session.entries.models[entry.seq] ?? 0);
  const row = startUsageRow(session, entry, 0, source);
  row.columns.provider.put(model.provider);
  row.columns.model_id.put(model.modelId);
  putUsage(row.columns, usage);
  row.endRow();
  return withPart(left, "usage", usageLeftover(usage));
}
