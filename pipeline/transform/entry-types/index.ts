import { readBranchSummary } from "./branch-summary.js";
import { readCompaction } from "./compaction.js";
import { readContextEdit } from "./context-edit.js";
import { readCustom } from "./custom.js";
import { readCustomMessage } from "./custom-message.js";
import type { ReadEntry } from "./entry-type.js";
import { readLabel } from "./label.js";
import { readMessageEntry } from "./message.js";
import { readModelChange } from "./model-change.js";
import { readSessionInfo } from "./session-info.js";
import { readThinkingLevelChange } from "./thinking-level-change.js";
import { readUsageEntry } from "./usage.js";

/** The entry types that Pi writes; any other is read by `readUnknown`. */
export const entryTypes: ReadonlyMap<string, ReadEntry> = new Map([
  ["message", readMessageEntry],
  ["model_change", readModelChange],
  ["thinking_level_change", readThinkingLevelChange],
  ["compaction", readCompaction],
  ["branch_summary", readBranchSummary],
  ["custom", readCustom],
  ["custom_message", readCustomMessage],
  ["label", readLabel],
  ["session_info", readSessionInfo],
  ["usage", readUsageEntry],
  ["context_edit", readContextEdit],
]);
