import type { RawRecord } from "../../flow.js";
import { leftoverOf } from "../fields.js";
import type { Entry } from "../record-identity.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({});

/** State of an extension: no words, so no message; its type and data are kept as they are. */
export function readCustom(record: RawRecord, entry: Entry): void {
  entry.left = leftoverOf(record, SHAPE);
}
