import { createHash } from "node:crypto";

import type { RawRecord } from "../flow.js";
import { asPosition, asString, type Leftover, leftoverOf, shape } from "./fields.js";
import { toJson } from "./payload.js";
import { readTime } from "./times.js";

const SESSION_KEY_CHARS = 24;

const HEADER_SHAPE = shape({
  type: "string",
  version: "whole",
  id: "string",
  timestamp: "string",
  cwd: "string",
  parentSession: "string",
  branchedFrom: "string",
});

export interface SessionHeader {
  readonly sessionId: string;
  /** Hash of id, time as written and folder: equal for all editions of a session. */
  readonly sessionKey: string;
  readonly formatVersion: number;
  readonly at: number | null;
  readonly projectPath: string | null;
  readonly parentSessionPath: string | null;
  /** Fields that no column holds, as JSON. */
  readonly payloadJson: string | null;
}

export function isHeader(record: RawRecord): boolean {
  return record["type"] === "session" && typeof record["id"] === "string";
}

export function readHeader(record: RawRecord): SessionHeader {
  const sessionId = asString(record["id"]) ?? "";
  const projectPath = asString(record["cwd"]);
  const left: Leftover | null = leftoverOf(record, HEADER_SHAPE);
  return {
    sessionId,
    sessionKey: hashSession([sessionId, record["timestamp"] ?? null, projectPath]),
    formatVersion: asPosition(record["version"]) ?? 1,
    at: readTime(record["timestamp"]).at,
    projectPath,
    parentSessionPath: asString(record["parentSession"]) ?? asString(record["branchedFrom"]),
    payloadJson: left === null ? null : toJson(left),
  };
}

/** Last part of a path of either kind of system. */
function hashSession(identity: readonly unknown[]): string {
  return createHash("sha256").update(toJson(identity)).digest("hex").slice(0, SESSION_KEY_CHARS);
}
