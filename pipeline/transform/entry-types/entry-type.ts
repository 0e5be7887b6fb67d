import type { RawRecord } from "../../flow.js";
import type { Entry } from "../record-identity.js";
import type { Session } from "../session.js";

/**
 * Writes the rows that an entry of one type gives beside its row in `entries`, and leaves in the entry what
 * that row needs: role, times, hashes, and whatever of the record no column holds.
 */
export type ReadEntry = (record: RawRecord, entry: Entry, session: Session) => void;
