import type { RawRecord } from "../../flow.js";
import { readContent } from "../content-blocks.js";
import { FLAG } from "../entry-store.js";
import { leftoverOf, withPart } from "../fields.js";
import { writeCustomMessage } from "../message-roles/custom.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";
import { entryShape } from "./base-shape.js";

const SHAPE = entryShape({ customType: "string", content: "content", display: "boolean" });

export function readCustomMessage(record: RawRecord, entry: Entry, session: Session): void {
  session.entries.mark(entry.seq, FLAG.SENT | FLAG.EDITABLE);
  const content = readContent(record["content"]);
  writeCustomMessage(record, content, entry, session);
  entry.left = withPart(leftoverOf(record, SHAPE), "content", content.left);
}
