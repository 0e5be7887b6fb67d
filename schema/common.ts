import { derived, flag, name, small, whole } from "./table.js";

/** Place of a row: the session it stands in and the file it was read from. */
export const placeColumns = {
  session_key: name("Session the row stands in; joins to sessions."),
  entry_seq: small("Position of the entry in its session, from 1, in file order."),
} as const;

/** What every row of a session table carries about its record. */
export const recordColumns = {
  file_id: name("File the row was read from; joins to files."),
  record_key: name("Identity of the record over the whole warehouse; copies share it."),
  is_copy: derived(flag("True where another row is the owner of the same record.")),
  is_present: derived(flag("False once the file, or the record in it, is gone from disk.")),
  load_id: whole("Load that last read the row."),
} as const;
