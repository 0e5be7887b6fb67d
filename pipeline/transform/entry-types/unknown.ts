import type { RawRecord } from "../../flow.js";
import { emptyLeftover } from "../fields.js";
import type { Entry } from "../record-identity.js";

/** Keeps the whole record: it takes part in the tree like any other entry. */
export function readUnknown(record: RawRecord, entry: Entry): void {
  entry.left = Object.assign(emptyLeftover(), record);
}
