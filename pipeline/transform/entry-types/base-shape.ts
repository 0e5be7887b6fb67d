import { type FieldKind, type Shape, shape } from "../fields.js";

/** Fields that every entry has, kept in columns of `entries`, with those of one type. */
export function entryShape(fields: Readonly<Record<string, FieldKind>>): Shape {
  return shape({ type: "string", id: "string", parentId: "string", timestamp: "kept", ...fields });
}
