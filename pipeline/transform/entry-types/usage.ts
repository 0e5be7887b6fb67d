import type { RawRecord } from "../../flow.js";
import { asRecord, asString, leftoverOf, withPart } from "../fields.js";
import { addOptionalPiUsage } from "../pi-totals.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { putUsage, usageLeftover } from "../usage.js";
import { startUsageRow } from "../usage-rows.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ kind: "string", provider: "string", model: "string", usage: "record" });

/** A paid call outside the conversation, such as the warming of a cache. */
export function readUsageEntry(record: RawRecord, entry: Entry, session: Session): void {
  addOptionalPiUsage(session.piTotals, record["usage"]);
  const usage = asRecord(record["usage"]);
  const row = startUsageRow(session, entry, 0, "usage_entry");
  row.columns.usage_kind.put(asString(record["kind"]));
  row.columns.provider.put(asString(record["provider"]));
  row.columns.model_id.put(asString(record["model"]));
  putUsage(row.columns, usage);
  row.endRow();
  entry.left = withPart(leftoverOf(record, SHAPE), "usage", usageLeftover(usage));
}
