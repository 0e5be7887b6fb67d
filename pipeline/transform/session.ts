import type { ReadRequest, RowSinks } from "../flow.js";
import { Mix } from "./content-hash.js";
import type { ContextFacts } from "./context.js";
import { EntryStore } from "./entry-store.js";
import type { SessionHeader } from "./header.js";
import { Models } from "./models.js";
import { type PiTotals, startPiTotals } from "./pi-totals.js";
import { ToolCalls } from "./tool-calls.js";

/** All that is kept while a session file is read. */
export interface Session {
  readonly request: ReadRequest;
  readonly sinks: RowSinks;
  readonly header: SessionHeader;
  readonly keepsText: boolean;
  readonly entries: EntryStore;
  readonly models: Models;
  readonly mix: Mix;
  readonly calls: ToolCalls;
  readonly context: ContextFacts;
  readonly piTotals: PiTotals;
  /** How many entries were read before each header after the first. */
  readonly laterHeaders: number[];
  name: string | null;
  startedAt: number | null;
  endedAt: number | null;
}

export function startSession(request: ReadRequest, sinks: RowSinks, header: SessionHeader): Session {
  return {
    request,
    sinks,
    header,
    keepsText: request.content === "full",
    entries: new EntryStore(),
    models: new Models(),
    mix: new Mix(),
    calls: new ToolCalls(),
    context: { firstKeptIds: new Map(), editTargets: new Map() },
    piTotals: startPiTotals(),
    laterHeaders: [],
    name: null,
    startedAt: null,
    endedAt: null,
  };
}
