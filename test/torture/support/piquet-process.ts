import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

export interface Ended {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program while it runs. */
export interface PiquetProcess {
  readonly child: ChildProcess;
  /** Resolves once a line with this text stands on standard error, or the process has ended without it. */
  saying(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

interface SpawnOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

export function startPiquet(args: readonly string[], { cwd, env, uid }: SpawnOptions): PiquetProcess {
  const child = spawn(process.execPath, [resolve("dist/pipeline/cli.js"), ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, TZ: "UTC", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((done) =>
    child.on("close", (exitCode, signal) => done({ exitCode, signal, stdout, stderr })),
  );
  const saying = (text: string): Promise<void> =>
    new Promise((heard) => {
      const look = (): void => {
        if (stderr.includes(text)) heard();
      };
      child.stderr.on("data", look);
      look();
      void ended.then(() => heard());
    });
  return { child, saying, ended };
}

export async function runToEnd(args: readonly string[], options: SpawnOptions): Promise<Ended> {
  return startPiquet(args, options).ended;
}
