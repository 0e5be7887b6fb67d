import { describe, expect, it } from "vitest";
import type { Discovery, FoundFile } from "../../pipeline/discover/discover.js";
import { type KnownFile, type PlanOptions, planFiles } from "../../pipeline/discover/file-state.js";

const ROOT = "/home/ada/.pi/agent/sessions";
const options: PlanOptions = { isFull: false, isVerify: false, transformVersion: 1, content: "full" };
const state = { rootPath: ROOT, sizeBytes: 100, mtimeMs: 1000.5, ctimeMs: 1001.25, inode: "7" };

function found(name: string, changes: Partial<FoundFile> = {}): FoundFile {
  return { path: `${ROOT}/${name}`, device: "1", ...state, ...changes };
}

function known(name: string, changes: Partial<KnownFile> = {}): KnownFile {
  return {
    path: `${ROOT}/${name}`,
    isPresent: true,
    transformVersion: 1,
    content: "full",
    ...state,
    ...changes,
  };
}

function discovery(files: readonly FoundFile[], changes: Partial<Discovery> = {}): Discovery {
  return {
    files,
    listedRoots: [{ path: ROOT, fileCount: files.length, hadError: false }],
    unreadable: [],
    leftOut: new Set(),
    ...changes,
  };
}

describe("planFiles", () => {
  it("reads new files and leaves those that are as they were", () => {
    const plan = planFiles(discovery([found("a"), found("b")]), [known("a")], options);
    expect(plan).toEqual({ toRead: [found("b")], toVerify: [], unchanged: 1, returned: [], missing: [] });
  });

  it.each([
    ["size", { sizeBytes: 101 }],
    ["modification time", { mtimeMs: 1000.501 }],
  ])("reads a file again when its %s differs", (_what, changes) => {
    const plan = planFiles(discovery([found("a", changes)]), [known("a")], options);
    expect(plan.toRead).toEqual([found("a", changes)]);
  });

  it.each([
    ["change time", { ctimeMs: 2000 }],
    ["inode", { inode: "8" }],
  ])("lets the bytes decide when only the %s differs", (_what, changes) => {
    const plan = planFiles(discovery([found("a", changes)]), [known("a")], options);
    expect([plan.toRead, plan.toVerify]).toEqual([[], [found("a", changes)]]);
  });

  it.each([
    ["other reading rules", { transformVersion: 0 }],
    ["another content option", { content: "none" }],
  ])("reads a file again that was read with %s", (_what, changes) => {
    const plan = planFiles(discovery([found("a")]), [known("a", changes)], options);
    expect(plan.toRead).toEqual([found("a")]);
  });

  it("reads everything with --full and hashes everything with --verify", () => {
    const files = discovery([found("a")]);
    expect(planFiles(files, [known("a")], { ...options, isFull: true }).toRead).toEqual([found("a")]);
    expect(planFiles(files, [known("a")], { ...options, isVerify: true }).toVerify).toEqual([found("a")]);
  });

  it("tells a file that came back as it was from one that never went", () => {
    const gone = known("a", { isPresent: false });
    const plan = planFiles(discovery([found("a")]), [gone], options);
    expect([plan.unchanged, plan.returned]).toEqual([0, [gone]]);
  });

  it("counts a file as missing when its root was listed without it", () => {
    const plan = planFiles(discovery([found("a")]), [known("a"), known("b")], options);
    expect(plan.missing).toEqual([known("b")]);
  });

  it("does not report a file as missing twice", () => {
    const plan = planFiles(discovery([found("a")]), [known("b", { isPresent: false })], options);
    expect(plan.missing).toEqual([]);
  });

  it("judges a file behind a link by the root that led to it", () => {
    const linked = known("b", { path: "/mnt/old/b" });
    expect(planFiles(discovery([found("a")]), [linked], options).missing).toEqual([linked]);
  });

  it.each<[string, Partial<Discovery>]>([
    ["it is there, but not for this run", { leftOut: new Set([`${ROOT}/shop/b`]) }],
    ["its root is empty", { listedRoots: [{ path: ROOT, fileCount: 0, hadError: false }] }],
    ["its root could not be listed", { listedRoots: [{ path: ROOT, fileCount: 0, hadError: true }] }],
    ["another root was listed", { listedRoots: [{ path: `${ROOT}2`, fileCount: 1, hadError: false }] }],
    ["its folder could not be read", { unreadable: [{ path: `${ROOT}/shop`, reason: "EACCES" }] }],
    ["it could not be read itself", { unreadable: [{ path: `${ROOT}/shop/b`, reason: "EIO" }] }],
    [
      "a root inside the listed one is empty",
      {
        listedRoots: [
          { path: ROOT, fileCount: 1, hadError: false },
          { path: `${ROOT}/shop`, fileCount: 0, hadError: false },
        ],
      },
    ],
  ])("does not count a file as missing when %s", (_why, changes) => {
    const plan = planFiles(discovery([found("a")], changes), [known("shop/b")], options);
    expect(plan.missing).toEqual([]);
  });
});
