import type {
  FileFacts,
  LinePlace,
  RawRecord,
  ReadRequest,
  RejectReason,
  RowSinks,
  SessionTransform,
} from "../flow.js";
import { HEAD_LINES, judgeHead, SKIP_REASON, type Verdict } from "./file-head.js";
import { isHeader, readHeader } from "./header.js";
import { type Session, startSession } from "./session.js";
import { readRecord } from "./session-reader.js";
import { writeFileRow } from "./write-file.js";
import { writeReject } from "./write-reject.js";
import { writeSession } from "./write-session.js";

/** A line of the head, held until it is known whether the file is a session. */
interface HeldRecord {
  readonly record: RawRecord;
  readonly place: LinePlace;
}

/**
 * Turns the lines of one file into rows of every table. Of a file that is no session only its row in `files`
 * is written. Nothing is kept of a record but narrow facts; those known late are written by `finish`.
 */
export function createSessionTransform(request: ReadRequest, sinks: RowSinks): SessionTransform {
  return new FileTransform(request, sinks);
}

class FileTransform implements SessionTransform {
  readonly #request: ReadRequest;
  readonly #sinks: RowSinks;
  #heldRecords: HeldRecord[] = [];
  #heldRejects: (() => void)[] = [];
  #session: Session | null = null;
  #skipReason: string | null = null;

  constructor(request: ReadRequest, sinks: RowSinks) {
    this.#request = request;
    this.#sinks = sinks;
  }

  record(record: RawRecord, place: LinePlace): boolean {
    if (this.#session !== null) {
      readRecord(this.#session, record, place);
      return true;
    }
    if (this.#skipReason !== null) return false;
    if (place.lineNumber <= HEAD_LINES) this.#heldRecords.push({ record, place });
    this.#judge(place.lineNumber >= HEAD_LINES);
    if (this.#session !== null && place.lineNumber > HEAD_LINES) readRecord(this.#session, record, place);
    return this.#skipReason === null;
  }

  reject(reason: RejectReason, message: string, textStart: string, place: LinePlace): boolean {
    const write = () => writeReject(this.#request, this.#sinks, { reason, message, textStart, place });
    if (this.#session !== null) {
      write();
      return true;
    }
    if (this.#skipReason !== null) return false;
    this.#heldRejects.push(write);
    this.#judge(place.lineNumber >= HEAD_LINES);
    return this.#skipReason === null;
  }

  finish(facts: FileFacts): void {
    if (this.#session === null && this.#skipReason === null) this.#judgeEnd(facts);
    if (this.#session !== null) {
      writeSession(this.#session, facts);
      return;
    }
    writeFileRow(this.#sinks, this.#request, facts, {
      kind: this.#skipReason === SKIP_REASON.EMPTY ? "empty" : "not_a_session",
      skipReason: this.#skipReason,
      session: null,
    });
  }

  #judgeEnd(facts: FileFacts): void {
    const isEmpty = facts.lineCount === facts.blankLineCount && facts.pendingTailBytes === 0;
    if (isEmpty) this.#skipReason = SKIP_REASON.EMPTY;
    else this.#judge(true);
  }

  #judge(isEnd: boolean): void {
    const records = this.#heldRecords.map((held) => held.record);
    const verdict: Verdict | null = judgeHead(records, isEnd);
    if (verdict?.isSession === true) this.#open();
    else if (verdict !== null) this.#skipReason = verdict.reason;
    if (verdict === null) return;
    this.#heldRecords = [];
    this.#heldRejects = [];
  }

  #open(): void {
    const header = this.#heldRecords.find((held) => isHeader(held.record));
    if (header === undefined) return;
    const session = startSession(this.#request, this.#sinks, readHeader(header.record));
    this.#session = session;
    // Pi opens a file only where its first record is the header.
    if (header !== this.#heldRecords[0]) session.piTotals.isComparable = false;
    for (const write of this.#heldRejects) write();
    for (const held of this.#heldRecords) {
      if (held !== header) readRecord(session, held.record, held.place);
    }
  }
}
