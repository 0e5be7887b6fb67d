import { createRequire } from "node:module";

/** Version of this program, from its package. */
export function toolVersion(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)("#package");
  return manifest.version;
}
