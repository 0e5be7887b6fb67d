import { csv } from "./csv.js";
import type { Format } from "./format.js";
import { json, jsonl } from "./json.js";
import { markdown } from "./markdown.js";
import { table } from "./table.js";

/** Every format by the name that `--format` takes. */
export const formats = { table, json, jsonl, csv, markdown } as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
