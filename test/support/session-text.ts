/** A prompt and its reply. */
export interface Exchange {
  /** Instant of the prompt; the reply ends ten seconds later. */
  readonly at: string;
  readonly prompt: string;
  readonly costUsd: number;
}

/** Text of a session file in project /home/ada/shop: a header, then each prompt with its reply. */
export function sessionText(id: string, exchanges: readonly Exchange[]): string {
  const header = {
    type: "session",
    version: 3,
    id,
    timestamp: exchanges[0]?.at ?? "2026-01-05T09:00:00.000Z",
    cwd: "/home/ada/shop",
  };
  const records = exchanges.flatMap((exchange, index) => exchangeRecords(id, exchange, index));
  return `${[header, ...records].map((record) => JSON.stringify(record)).join("\n")}\n`;
}

function exchangeRecords(id: string, { at, prompt, costUsd }: Exchange, index: number): object[] {
  const name = (number: number): string => `${id}${String(number).padStart(4, "0")}`;
  const startMs = Date.parse(at);
  const [first, second] = [index * 2 + 1, index * 2 + 2];
  return [
    {
      type: "message",
      id: name(first),
      parentId: first === 1 ? null : name(first - 1),
      timestamp: at,
      message: { role: "user", content: [{ type: "text", text: prompt }], timestamp: startMs },
    },
    {
      type: "message",
      id: name(second),
      parentId: name(first),
      timestamp: new Date(startMs + 10_000).toISOString(),
      message: {
        role: "assistant",
        content: [{ type: "text", text: `Answer to: ${prompt}` }],
        api: "anthropic-messages",
        provider: "anthropic",
        model: "claude-opus-4-8",
        usage: {
          input: 100,
          output: 20,
          cacheRead: 0,
          cacheWrite: 0,
          totalTokens: 120,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: costUsd },
        },
        stopReason: "stop",
        timestamp: startMs,
      },
    },
  ];
}
