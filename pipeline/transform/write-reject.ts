import type { LinePlace, ReadRequest, RejectReason, RowSinks } from "../flow.js";

export interface Reject {
  readonly reason: RejectReason;
  readonly message: string;
  readonly textStart: string;
  readonly place: LinePlace;
}

export function writeReject(request: ReadRequest, sinks: RowSinks, reject: Reject): void {
  const { columns } = sinks.rejects;
  columns.file_id.put(request.fileId);
  columns.line_number.put(reject.place.lineNumber);
  columns.byte_offset.put(reject.place.byteOffset);
  columns.line_bytes.put(reject.place.lineBytes);
  columns.reason.put(reject.reason);
  columns.message.put(reject.message);
  columns.text_start.put(reject.textStart);
  columns.load_id.put(request.loadId);
  sinks.rejects.endRow();
}
