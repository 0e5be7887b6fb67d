import type { RawRecord } from "../../flow.js";
import { asString, leftoverOf } from "../fields.js";
import { startMessageRow } from "../message-rows.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ provider: "string", modelId: "string" });

/** The model may be a virtual one: replies then name the one that answered. */
export function readModelChange(record: RawRecord, entry: Entry, session: Session): void {
  const provider = asString(record["provider"]);
  const modelId = asString(record["modelId"]);
  entry.left = leftoverOf(record, SHAPE);
  if (modelId !== null) session.entries.models[entry.seq] = session.models.indexOf(provider, modelId);

  const row = startMessageRow(session, entry, null);
  row.columns.provider.put(provider);
  row.columns.model_id.put(modelId);
  row.endRow();
}
