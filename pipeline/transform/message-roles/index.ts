import { readAssistant } from "./assistant.js";
import { readBashExecution } from "./bash-execution.js";
import { readCustomRole } from "./custom.js";
import type { ReadMessage } from "./message-role.js";
import { readSystem } from "./system.js";
import { readToolResult } from "./tool-result.js";
import { readUser } from "./user.js";

/** The roles that Pi writes; any other is read by `readUnknownRole`. */
export const messageRoles: ReadonlyMap<string, ReadMessage> = new Map([
  ["user", readUser],
  ["assistant", readAssistant],
  ["toolResult", readToolResult],
  ["bashExecution", readBashExecution],
  ["custom", readCustomRole],
  ["hookMessage", readCustomRole],
  ["system", readSystem],
]);
