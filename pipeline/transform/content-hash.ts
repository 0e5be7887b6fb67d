import type { RawRecord } from "../flow.js";
import { asRecord, asString } from "./fields.js";

const EDGE_CHARS = 256;
const WORD = 2 ** 32;
/** Several times quicker than `toString(16)`, which shows when every record has a hash. */
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Two 32-bit mixes over what is put in, quick enough to run on every record. Long texts count by their
 * length and both ends.
 */
export class Mix {
  #first = 0;
  #second = 0;
  /** False until a text that is not empty, or a number, was put in. */
  saysSomething = false;

  start(kind: string): void {
    this.#first = 0x9e3779b9;
    this.#second = 0x85ebca6b;
    this.#chars(kind, 0, kind.length);
    this.saysSomething = false;
  }

  text(text: string): void {
    const length = text.length;
    this.#step(length);
    if (length === 0) return;
    this.saysSomething = true;
    if (length <= 2 * EDGE_CHARS) {
      this.#chars(text, 0, length);
    } else {
      this.#chars(text, 0, EDGE_CHARS);
      this.#chars(text, length - EDGE_CHARS, length);
    }
  }

  /** A field by its place, so that equal values of different fields differ. */
  field(place: number, value: unknown): void {
    if (typeof value === "string") {
      this.#step(place);
      this.text(value);
    } else if (typeof value === "number") {
      this.#step(place);
      this.#step(value % WORD);
      this.#step(value / WORD);
      this.saysSomething = true;
    }
  }

  hex16(): string {
    return hex8(finish(this.#first, this.#second)) + this.hex8();
  }

  hex8(): string {
    return hex8(finish(this.#second, this.#first));
  }

  #chars(text: string, start: number, end: number): void {
    let first = this.#first;
    let second = this.#second;
    for (let index = start; index < end; index += 1) {
      const unit = text.charCodeAt(index);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x5bd1e995) + 0x7f4a7c15;
      second = (second << 13) | (second >>> 19);
    }
    this.#first = first | 0;
    this.#second = second | 0;
  }

  #step(number: number): void {
    this.#first = Math.imul(this.#first ^ number, 0x01000193);
    this.#second = (Math.imul(this.#second ^ number, 0x5bd1e995) + 0x7f4a7c15) | 0;
  }
}

/**
 * Puts in what a record says and leaves out what a migration changes: ids, parents, the order of keys, the
 * role's name of version 2. So a version 1 record and its migrated copy give the same hash.
 */
export function mixRecord(mix: Mix, record: RawRecord): void {
  const message = asRecord(record["message"]);
  const role = message?.["role"];
  mix.start(
    `${asString(record["type"]) ?? ""}/${role === "hookMessage" ? "custom" : (asString(role) ?? "")}`,
  );
  if (message === null) mixEntry(mix, record);
  else mixMessage(mix, message);
  const said = message ?? record;
  mixContent(mix, said["content"]);
  mixUsage(mix, asRecord(said["usage"]));
}

/** Fields by name, not in a loop: a name that the engine knows beforehand is found much quicker. */
function mixEntry(mix: Mix, entry: RawRecord): void {
  mix.field(1, entry["provider"]);
  mix.field(2, entry["modelId"]);
  mix.field(3, entry["model"]);
  mix.field(4, entry["thinkingLevel"]);
  mix.field(5, entry["summary"]);
  mix.field(6, entry["customType"]);
  mix.field(7, entry["name"]);
  mix.field(8, entry["kind"]);
  mix.field(9, entry["tokensBefore"]);
}

function mixMessage(mix: Mix, message: RawRecord): void {
  mix.field(1, message["provider"]);
  mix.field(2, message["model"]);
  mix.field(3, message["stopReason"]);
  mix.field(4, message["errorMessage"]);
  mix.field(5, message["toolCallId"]);
  mix.field(6, message["toolName"]);
  mix.field(7, message["command"]);
  mix.field(8, message["output"]);
  mix.field(9, message["customType"]);
}

function mixUsage(mix: Mix, usage: RawRecord | null): void {
  if (usage === null) return;
  mix.field(1, usage["input"]);
  mix.field(2, usage["output"]);
  mix.field(3, usage["cacheRead"]);
  mix.field(4, usage["cacheWrite"]);
}

function mixContent(mix: Mix, content: unknown): void {
  if (typeof content === "string") {
    mix.text(content);
  } else if (Array.isArray(content)) {
    for (const block of content) mixBlock(mix, asRecord(block));
  }
}

function mixBlock(mix: Mix, block: RawRecord | null): void {
  switch (block?.["type"]) {
    case "text":
      return mix.text(asString(block["text"]) ?? "");
    case "thinking":
      return mix.text(asString(block["thinking"]) ?? "");
    case "toolCall":
      mix.text(asString(block["name"]) ?? "");
      return mix.text(asString(block["id"]) ?? "");
    case "image":
      return mix.text(asString(block["data"]) ?? "");
    default:
      return mix.text(asString(block?.["type"]) ?? "");
  }
}

function finish(state: number, other: number): number {
  let value = state ^ (other >>> 15);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function hex8(word: number): string {
  return hex2(word >>> 24) + hex2(word >>> 16) + hex2(word >>> 8) + hex2(word);
}

function hex2(word: number): string {
  return HEX_BYTES[word & 255] ?? "";
}
