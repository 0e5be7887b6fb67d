import type { RawRecord } from "../../flow.js";
import type { Leftover } from "../fields.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

/** Writes the rows that a message of one role gives. Gives back what of the message no column holds. */
export type ReadMessage = (message: RawRecord, entry: Entry, session: Session) => Leftover | null;
