import type { RawRecord } from "../../flow.js";
import { readContent } from "../content-blocks.js";
import { FLAG } from "../entry-store.js";
import { type Leftover, leftoverOf, shape, withPart } from "../fields.js";
import { putBlocks, putText, startMessageRow } from "../message-rows.js";
import { readPrompt } from "../prompts.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

const SHAPE = shape({ role: "string", content: "content", timestamp: "instant" });

export function readUser(message: RawRecord, entry: Entry, session: Session): Leftover | null {
  session.piTotals.userMessages += 1;
  session.entries.mark(entry.seq, FLAG.USER | FLAG.EDITABLE);
  const content = readContent(message["content"]);
  const prompt = content.text === null ? null : readPrompt(content.text);

  const row = startMessageRow(session, entry, "user");
  putText(row, content.text);
  putBlocks(row, content);
  row.columns.prompt.put(prompt?.typed);
  row.columns.skill_name.put(prompt?.skillName);
  row.endRow();
  return withPart(leftoverOf(message, SHAPE), "content", content.left);
}
