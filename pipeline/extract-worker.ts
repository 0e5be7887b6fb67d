import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { memoryOf } from "./extract/reader-output.js";
import { ReaderSignals, type ReaderTask, WorkList } from "./extract/reader-task.js";
import type { ColumnBatch } from "./flow.js";
import { createFileReader, type FileReader } from "./read-file.js";

/** Reads files until none is left, without a turn of the event loop; used batches come back by messages. */
function readAll(task: ReaderTask): void {
  const signals = new ReaderSignals(task.signals);
  const work = new WorkList(task.work);
  const content = task.requests[0]?.content ?? "none";
  const reader = createFileReader(content, (output) => {
    signals.takeCredit();
    parentPort?.postMessage(output, memoryOf(output.batches));
    takeBack(reader);
  });
  const first = [...task.first];
  for (;;) {
    const index = first.shift() ?? work.takeNext();
    const request = index === null ? undefined : task.requests[index];
    if (index === null || request === undefined) break;
    work.claim(index, task.readerNumber);
    signals.begin(index);
    const reading = reader.open(request, task.sizesBytes[index] ?? 0);
    while (reading.step()) signals.beat();
  }
  reader.finish();
}

function takeBack(reader: FileReader): void {
  if (parentPort === null) return;
  for (;;) {
    const received: { message: readonly ColumnBatch[] } | undefined = receiveMessageOnPort(parentPort);
    if (received === undefined) return;
    for (const batch of received.message) reader.recycle(batch);
  }
}

readAll(workerData);
