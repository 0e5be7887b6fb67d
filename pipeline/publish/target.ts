/** Where `--to` points. */
export type Target =
  | { readonly kind: "folder" }
  | { readonly kind: "bucket"; readonly bucket: string; readonly prefix: string };

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,62}$/i;

/**
 * Reads the address of a lake: a folder, or `s3://bucket/prefix`. Gives a sentence on what is wrong with
 * another, which repeats nothing of an address that holds credentials.
 */
export function readTarget(text: string): Target | { readonly problem: string } {
  if (!URL_START.test(text)) return { kind: "folder" };
  const rest = text.replace(URL_START, "");
  const [place = ""] = rest.split("/");
  if (place.includes("@") || /[?#]/.test(rest)) {
    return {
      problem: "an address holds no user, password or parameters; credentials come from the AWS environment",
    };
  }
  if (!/^s3:/i.test(text)) return { problem: "expected a folder or s3://bucket/prefix" };
  if (!BUCKET.test(place)) return { problem: "expected s3://bucket/prefix, found no name of a bucket" };
  const parts = rest.split("/").slice(1);
  const prefix = parts.filter((part) => part !== "");
  return { kind: "bucket", bucket: place, prefix: prefix.length === 0 ? "" : `${prefix.join("/")}/` };
}
