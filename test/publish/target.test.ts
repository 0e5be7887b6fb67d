import { describe, expect, it } from "vitest";
import { readTarget } from "../../pipeline/publish/target.js";

describe("readTarget", () => {
  it.each(["lake", "./lake", "/srv/a [b] lake", "C:lake"])("takes %s for a folder", (text) => {
    expect(readTarget(text)).toEqual({ kind: "folder" });
  });

  it.each([
    ["s3://lake", { bucket: "lake", prefix: "" }],
    ["s3://lake/", { bucket: "lake", prefix: "" }],
    ["s3://team.lake/pi//a/", { bucket: "team.lake", prefix: "pi/a/" }],
  ])("reads bucket and prefix of %s", (text, expected) => {
    expect(readTarget(text)).toEqual({ kind: "bucket", ...expected });
  });

  it.each(["ftp://lake/x", "https://lake/x", "file:///lake"])("knows no such place as %s", (text) => {
    expect(readTarget(text)).toEqual({ problem: "expected a folder or s3://bucket/prefix" });
  });

  it.each(["s3://", "s3:///x", "s3://a b/x"])("finds no bucket in %j", (text) => {
    expect(readTarget(text)).toEqual({ problem: "expected s3://bucket/prefix, found no name of a bucket" });
  });

  it.each([
    "s3://me:secret@lake/x",
    "https://me:secret@lake/x",
    "s3://lake/x?secret=1",
    "s3://lake/x#secret",
  ])("refuses %s without repeating it", (text) => {
    const target = readTarget(text);
    expect(target).toHaveProperty("problem");
    expect(JSON.stringify(target)).not.toContain("secret");
  });
});
