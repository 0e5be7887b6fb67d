import type { LineHandler, LinePlace, RawRecord, RejectReason } from "../../pipeline/flow.js";

export interface SeenReject {
  readonly reason: RejectReason;
  readonly message: string;
  readonly textStart: string;
  readonly place: LinePlace;
}

export interface RecordingHandler extends LineHandler {
  readonly records: RawRecord[];
  readonly places: LinePlace[];
  readonly rejects: SeenReject[];
}

/** Keeps what a reader hands over; stops the reading after `stopAfter` records. */
export function recordingHandler(stopAfter = Number.POSITIVE_INFINITY): RecordingHandler {
  const records: RawRecord[] = [];
  const places: LinePlace[] = [];
  const rejects: SeenReject[] = [];
  return {
    records,
    places,
    rejects,
    record: (record, place) => {
      records.push(record);
      places.push(place);
      return records.length < stopAfter;
    },
    reject: (reason, message, textStart, place) => {
      rejects.push({ reason, message, textStart, place });
      return true;
    },
  };
}
