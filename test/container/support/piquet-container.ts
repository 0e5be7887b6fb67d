import { chownSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { getContainerRuntimeClient } from "testcontainers";
import type { Outcome } from "../../support/run-piquet.js";
import { LABELS } from "./labels.js";

/** The user of the image. */
export const IMAGE_UID = 1000;

export interface Place {
  /** Folder that stands at /sessions, read-only. */
  readonly sessions?: string;
  /** Folder that stands at /data. */
  readonly data: string;
  /** Runs instead of piquet. */
  readonly program?: string;
  /** Instead of the image's user. */
  readonly user?: string;
  /** Name of a network of the engine; otherwise there is none. */
  readonly network?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningPiquet {
  readonly outcome: Promise<Outcome>;
  /** Log lines as they come. */
  readonly stderr: PassThrough;
  signal(name: "SIGTERM" | "SIGINT"): Promise<void>;
}

export function productImage(): string {
  return process.env["PIQUET_TEST_IMAGE"] ?? "";
}

/** Runs piquet in a container that may do next to nothing: no network, no rights, nothing to write but /data. */
export async function startPiquet(args: readonly string[], place: Place): Promise<RunningPiquet> {
  const { container: engine } = await getContainerRuntimeClient();
  const container = await engine.create({
    Image: productImage(),
    ...(place.program !== undefined && { Entrypoint: [place.program] }),
    Cmd: [...args],
    Env: Object.entries({ TZ: "UTC", ...place.env }).map(([name, value]) => `${name}=${value}`),
    Hostname: "ada-laptop",
    Labels: LABELS,
    ...(place.user === undefined ? ownUser() : { User: place.user }),
    HostConfig: {
      Binds: [
        ...(place.sessions === undefined ? [] : [`${place.sessions}:/sessions:ro`]),
        `${place.data}:/data`,
      ],
      ReadonlyRootfs: true,
      NetworkMode: place.network ?? "none",
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
    },
  });
  const output = await container.attach({ stream: true, stdout: true, stderr: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  container.modem.demuxStream(output, stdout, stderr);
  output.on("end", () => [stdout, stderr].map((stream) => stream.end()));
  await container.start();

  const finish = async (): Promise<Outcome> => {
    const texts = Promise.all([text(stdout), text(stderr)]);
    const { StatusCode: exitCode } = await container.wait();
    const [out, err] = await texts;
    await container.remove({ v: true, force: true });
    return { exitCode, stdout: out, stderr: err };
  };
  return { outcome: finish(), stderr, signal: (name) => container.kill({ signal: name }) };
}

export async function runPiquet(args: readonly string[], place: Place): Promise<Outcome> {
  const { outcome } = await startPiquet(args, place);
  return outcome;
}

/** As a person with an account of her own would run it; root leaves the image its user. */
function ownUser(): { User?: string } {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 ? {} : { User: `${uid}:${gid}` };
}

/** Gives a folder to whoever runs piquet in the container. */
export function giveToContainer(folder: string): void {
  if (process.getuid?.() !== 0) return;
  chownSync(folder, IMAGE_UID, IMAGE_UID);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, name), IMAGE_UID, IMAGE_UID);
  }
}
