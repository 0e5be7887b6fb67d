import { flag, name, small, table } from "../table.js";

export const retries = table({
  name: "retries",
  description: "Failed requests and whether they were tried again, known at the end of a file.",
  key: ["file_id", "entry_seq"],
  timeColumn: null,
  columns: {
    file_id: name("File."),
    entry_seq: small("Failed request."),
    is_retried: flag("Another request followed before the next prompt."),
    retry_succeeded: flag("One of them gave a reply."),
  },
});
