import { derived, name, nullable, path, small, table, text, whole } from "./table.js";

export const rejects = table({
  name: "rejects",
  description: "One row per line that holds no record, with the reason; nothing is dropped silently.",
  key: ["file_id", "line_number"],
  timeColumn: null,
  columns: {
    file_id: name("File."),
    machine: derived(name("Machine whose disk holds the file.")),
    path: derived(path("Path of the file.")),
    line_number: small("Line, from 1."),
    byte_offset: whole("Where the line starts, in bytes."),
    line_bytes: whole("Length of the line, in bytes."),
    reason: name("invalid_json, not_an_object, line_too_long or line_too_dense."),
    message: name("What is wrong, without any of the line's text."),
    text_start: nullable(text("First 200 characters of the line.")),
    load_id: whole("Load that read it."),
  },
});
