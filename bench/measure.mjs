// Preloaded into a measured process: writes what the system counted of it to the file PIQUET_BENCH_RESULT.
import { writeFileSync } from "node:fs";

const startedAt = performance.now() - performance.nodeTiming.bootstrapComplete;
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = {
    wall_ms: performance.now() - startedAt,
    cpu_ms: (userCPUTime + systemCPUTime) / 1000,
    peak_bytes: maxRSS * 1024,
  };
  writeFileSync(process.env.PIQUET_BENCH_RESULT, JSON.stringify(usage));
});
