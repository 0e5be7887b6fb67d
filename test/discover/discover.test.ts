import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverFiles } from "../../pipeline/discover/discover.js";
import { tempFolder } from "../support/temp-folder.js";

const plain = { withArchives: false };

function namesBelow(folder: string, options = plain): readonly string[] {
  return discoverFiles([folder], options).files.map((file) => relative(folder, file.path));
}

describe("discoverFiles", () => {
  it("finds session files at any depth, ordered by path, with odd names as they are", () => {
    const folder = tempFolder({
      "b.jsonl": "",
      "--home-ada-shop--/a [1].jsonl": "",
      '--home-ada-shop--/it\'s\n"new".jsonl': "",
      "--home-ada-shop--/a/run-1/0/deep.jsonl": "",
      "notes.txt": "",
      "a.jsonl.bak": "",
      "c.json": "",
    });
    expect(namesBelow(folder)).toEqual([
      "--home-ada-shop--/a [1].jsonl",
      "--home-ada-shop--/a/run-1/0/deep.jsonl",
      '--home-ada-shop--/it\'s\n"new".jsonl',
      "b.jsonl",
    ]);
  });

  it("adds packed, saved, reset and deleted copies when asked for archives", () => {
    const folder = tempFolder({
      "a.jsonl": "",
      "a.jsonl.gz": "",
      "a.jsonl.bak": "",
      "a.jsonl.bak.2": "",
      "a.jsonl.reset.2026-01-05T09-00-00.000Z": "",
      "a.jsonl.deleted.2026-01-05T09-00-00.000Z": "",
      "a.jsonl.lock": "",
      "a.txt.gz": "",
    });
    expect(namesBelow(folder, { withArchives: true })).toEqual([
      "a.jsonl",
      "a.jsonl.bak",
      "a.jsonl.bak.2",
      "a.jsonl.deleted.2026-01-05T09-00-00.000Z",
      "a.jsonl.gz",
      "a.jsonl.reset.2026-01-05T09-00-00.000Z",
    ]);
  });

  it("leaves out .piquet folders, reached by a link or not", () => {
    const folder = tempFolder({ ".piquet/a.jsonl": "", "shop/.piquet/b.jsonl": "", "c.jsonl": "" });
    symlinkSync(join(folder, ".piquet"), join(folder, "link"));
    expect(namesBelow(folder)).toEqual(["c.jsonl"]);
  });

  it("looks in Pi's own folder only at sessions and the files beside it", () => {
    const folder = tempFolder({
      "auth.json": "",
      "sessions/--home-ada-shop--/a.jsonl": "",
      "old.jsonl": "",
      "git/some-extension/test/fixture.jsonl": "",
    });
    expect(namesBelow(folder)).toEqual(["old.jsonl", "sessions/--home-ada-shop--/a.jsonl"]);
  });

  it("looks everywhere in a folder that merely has a folder called sessions", () => {
    const folder = tempFolder({ "sessions/a.jsonl": "", "backup/sessions/b.jsonl": "" });
    expect(namesBelow(folder)).toEqual(["backup/sessions/b.jsonl", "sessions/a.jsonl"]);
  });

  it("follows links to real paths and survives loops", () => {
    const elsewhere = tempFolder({ "moved/a.jsonl": "", "b-store": "" });
    const folder = tempFolder({ "c.jsonl": "" });
    symlinkSync(join(elsewhere, "moved"), join(folder, "shop"));
    symlinkSync(join(elsewhere, "b-store"), join(folder, "b.jsonl"));
    symlinkSync(folder, join(folder, "loop"));
    const found = discoverFiles([folder], plain);
    expect(found.files.map((file) => file.path).toSorted()).toEqual(
      [join(elsewhere, "moved/a.jsonl"), join(elsewhere, "b-store"), join(folder, "c.jsonl")].toSorted(),
    );
    expect(new Set(found.files.map((file) => file.rootPath))).toEqual(new Set([folder]));
    expect(found.unreadable).toEqual([]);
  });

  it("gives the same answer for any order of overlapping roots, one path per real file", () => {
    const folder = tempFolder({ "z/a.jsonl": "", "b/c.jsonl": "" });
    linkSync(join(folder, "z/a.jsonl"), join(folder, "b/hard-link.jsonl"));
    symlinkSync(join(folder, "z"), join(folder, "link"));
    const roots = [join(folder, "z"), folder, join(folder, "link"), join(folder, "b")];
    const found = discoverFiles(roots, plain);
    expect(discoverFiles(roots.toReversed(), plain)).toEqual(found);
    expect(found.files.map((file) => [relative(folder, file.path), file.rootPath])).toEqual([
      ["b/c.jsonl", folder],
      ["b/hard-link.jsonl", folder],
    ]);
    expect(found.listedRoots.map((root) => [relative(folder, root.path), root.fileCount])).toEqual([
      ["", 3],
      ["b", 2],
      ["z", 1],
    ]);
  });

  it("takes a single file as a root", () => {
    const folder = tempFolder({ "a.jsonl": "{}", "b.jsonl": "" });
    const found = discoverFiles([join(folder, "a.jsonl")], plain);
    expect(found.files.map((file) => [file.path, file.sizeBytes])).toEqual([[join(folder, "a.jsonl"), 2]]);
  });

  it.skipIf(process.getuid?.() === 0)("lists a folder that may not be read and goes on", () => {
    const folder = tempFolder({ "locked/a.jsonl": "", "b.jsonl": "" });
    chmodSync(join(folder, "locked"), 0);
    const found = discoverFiles([folder], plain);
    chmodSync(join(folder, "locked"), 0o700);
    expect(found.files.map((file) => file.path)).toEqual([join(folder, "b.jsonl")]);
    expect(found.unreadable).toEqual([{ path: join(folder, "locked"), reason: "EACCES" }]);
    expect(found.listedRoots).toEqual([{ path: folder, fileCount: 1, hadError: false }]);
  });

  it("lists the place behind a link that leads nowhere", () => {
    const folder = tempFolder({ "b.jsonl": "" });
    symlinkSync(join(folder, "not-mounted"), join(folder, "disk"));
    const found = discoverFiles([folder], plain);
    expect(found.unreadable).toEqual([{ path: join(folder, "not-mounted"), reason: "ENOENT" }]);
  });

  it("marks a root that is gone", () => {
    const folder = tempFolder({ "sessions/a.jsonl": "" });
    rmSync(join(folder, "sessions"), { recursive: true });
    expect(discoverFiles([join(folder, "sessions")], plain).listedRoots).toEqual([
      { path: join(folder, "sessions"), fileCount: 0, hadError: true },
    ]);
  });

  it("does not take a folder called like a session for a file", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "a.jsonl"));
    expect(namesBelow(folder)).toEqual([]);
  });
});
