// What the sessions of a home have cost, reckoned from their records alone.

/**
 * Every record that was on disk in any night, once: a record is its id and its time, whichever files hold
 * it. Amounts are whole nano-dollars.
 */
export function createLedger() {
  const paid = new Map();
  const records = new Set();
  return {
    see: (sessions) => {
      for (const { records: lines } of sessions) {
        for (const line of lines) {
          const key = `${line.id} ${line.timestamp}`;
          records.add(key);
          const usage = line.message?.usage;
          if (usage === undefined) continue;
          const nanos = BigInt(Math.round(usage.cost.total * 1e9));
          paid.set(key, {
            day: line.timestamp.slice(0, 10),
            nanos,
            tokens: BigInt(usage.input + usage.output),
          });
        }
      }
    },
    totals: () => {
      const days = new Map();
      let [nanos, tokens] = [0n, 0n];
      for (const one of paid.values()) {
        nanos += one.nanos;
        tokens += one.tokens;
        days.set(one.day, (days.get(one.day) ?? 0n) + one.nanos);
      }
      return {
        cost_usd: dollars(nanos),
        tokens: String(tokens),
        requests: String(paid.size),
        records: String(records.size),
        days: Object.fromEntries(
          [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([day, cost]) => [day, dollars(cost)]),
        ),
      };
    },
  };
}

function dollars(nanos) {
  return `${nanos / 1_000_000_000n}.${String(nanos % 1_000_000_000n).padStart(9, "0")}`;
}
