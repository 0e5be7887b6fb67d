import type { RawRecord } from "../flow.js";
import { asRecord, asString, type Leftover, leftoverOf, type Shape, shape } from "./fields.js";
import { decodedBytes, imageStub } from "./payload.js";

/** What the blocks of a message come to. Plain text counts as one text block. */
export interface Content {
  text: string | null;
  thinking: string | null;
  blockCount: number;
  unknownBlockCount: number;
  imageCount: number;
  imageBytes: number;
  signatureBytes: number;
  /** Null where no block calls a tool. */
  toolCalls: RawRecord[] | null;
  /** Blocks, and parts of blocks, that no column holds. */
  left: unknown[] | null;
}

const TEXT_SHAPE = shape({ type: "string", text: "string", textSignature: "string" });
const THINKING_SHAPE = shape({ type: "string", thinking: "string", thinkingSignature: "string" });
const TOOL_CALL_SHAPE = shape({
  type: "string",
  id: "string",
  name: "string",
  namespace: "string",
  arguments: "kept",
  thoughtSignature: "string",
});

export function readContent(value: unknown, canCallTools = false): Content {
  const content: Content = {
    text: null,
    thinking: null,
    blockCount: 0,
    unknownBlockCount: 0,
    imageCount: 0,
    imageBytes: 0,
    signatureBytes: 0,
    toolCalls: null,
    left: null,
  };
  if (typeof value === "string") {
    content.text = value;
    content.blockCount = value === "" ? 0 : 1;
  } else if (Array.isArray(value)) {
    content.blockCount = value.length;
    for (const block of value) readBlock(content, block, canCallTools);
  }
  return content;
}

function readBlock(content: Content, value: unknown, canCallTools: boolean): void {
  const block = asRecord(value);
  if (block === null) return keepUnknown(content, value);
  switch (block["type"]) {
    case "text":
      content.text = joined(content.text, asString(block["text"]));
      return keepRest(content, block, TEXT_SHAPE, block["textSignature"]);
    case "thinking":
      content.thinking = joined(content.thinking, asString(block["thinking"]));
      return keepRest(content, block, THINKING_SHAPE, block["thinkingSignature"]);
    case "toolCall":
      if (!canCallTools) return keepUnknown(content, block);
      content.toolCalls ??= [];
      content.toolCalls.push(block);
      return keepRest(content, block, TOOL_CALL_SHAPE, block["thoughtSignature"]);
    case "image":
      content.imageCount += 1;
      content.imageBytes += decodedBytes(asString(block["data"]) ?? "");
      return keep(content, imageStub(block));
    default:
      return keepUnknown(content, block);
  }
}

function keepUnknown(content: Content, block: unknown): void {
  content.unknownBlockCount += 1;
  keep(content, block);
}

function joined(before: string | null, text: string | null): string | null {
  if (before === null) return text;
  return text === null ? before : `${before}\n${text}`;
}

function keepRest(content: Content, block: RawRecord, known: Shape, signature: unknown): void {
  if (typeof signature === "string") content.signatureBytes += Buffer.byteLength(signature);
  const left: Leftover | null = leftoverOf(block, known);
  if (left === null) return;
  left["type"] = block["type"];
  keep(content, left);
}

function keep(content: Content, part: unknown): void {
  content.left ??= [];
  content.left.push(part);
}
