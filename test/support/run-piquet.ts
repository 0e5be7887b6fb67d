import { spawn } from "node:child_process";
import { resolve } from "node:path";

export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the built program as a user whose home is the given folder and who has no settings of her own. */
export function runPiquet(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const child = spawn(process.execPath, [resolve("dist/pipeline/cli.js"), ...args], {
    cwd: options.home,
    env: { PATH: process.env["PATH"], HOME: options.home, TZ: "UTC", ...options.env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return new Promise((done) => child.on("close", (exitCode) => done({ exitCode, stdout, stderr })));
}
