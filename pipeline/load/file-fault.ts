import { PipelineError } from "../errors.js";

/** What DuckDB says of the disk; the rest of its message names files of its own. */
const DISK_FAULT =
  /No space left on device|Disk quota exceeded|Read-only file system|Permission denied|Input\/output error|File too large/;

const DAMAGE = /Corrupt database file|Could not read enough bytes|Serialization Error|Failed to deserialize/;

/** The warehouse's own file is broken, so nothing more may be written to it. */
export class WarehouseDamaged extends PipelineError {}

/** An error that comes from the warehouse's file, in words that name it; any other error as it is. */
export function asFileFault(path: string, cause: unknown): unknown {
  if (cause instanceof PipelineError || !(cause instanceof Error)) return cause;
  const reason = cause.message;
  const damage = DAMAGE.exec(reason)?.[0];
  if (damage !== undefined)
    return new WarehouseDamaged("FAILED", `${path} is damaged: ${damage}; nothing of this run was kept`, {
      cause,
    });
  const fault = /IO Error|Failed to commit/.test(reason) ? DISK_FAULT.exec(reason)?.[0] : undefined;
  if (fault === undefined) return cause;
  return new PipelineError("FAILED", `cannot write ${path}: ${fault}; nothing of this run was kept`, {
    cause,
  });
}
