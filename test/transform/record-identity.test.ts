import { describe, expect, it } from "vitest";
import { at, user } from "../support/build-records.js";
import { HEADER, pick, readEntries, readLines } from "../support/read-rows.js";

const { version: _, ...V1_HEADER } = HEADER;

function firstEntry(record: unknown) {
  return readEntries(record).entries[0];
}

describe("identity of a record", () => {
  it("is its id and its time in milliseconds", () => {
    expect(pick(readEntries(user("a0000001", null)).entries, "record_key", "own_record_key")).toEqual([
      { record_key: "a0000001@1767603601000", own_record_key: "a0000001@1767603601000" },
    ]);
  });

  it("is the same for other spellings of one instant", () => {
    const other = { ...user("a0000001", null), timestamp: "2026-01-05T10:00:01+01:00" };
    expect(firstEntry(other)?.["record_key"]).toBe("a0000001@1767603601000");
  });

  it("has a dash for a missing time, and a hash for one that is no instant", () => {
    expect(firstEntry({ ...user("a0000001", null), timestamp: undefined })?.["record_key"]).toBe(
      "a0000001@-",
    );
    const odd = firstEntry({ ...user("a0000001", null), timestamp: "yesterday" });
    expect(odd?.["record_key"]).toMatch(/^a0000001@~[0-9a-f]{8}$/);
    expect(odd?.["entry_at"]).toBeNull();
    expect(odd?.["entry_at_raw"]).toBe("yesterday");
  });

  it("differs for two times that are no instants", () => {
    const keys = ["yesterday", "today"].map(
      (timestamp) => firstEntry({ ...user("a0000001", null), timestamp })?.["record_key"],
    );
    expect(new Set(keys).size).toBe(2);
  });
});

describe("times", () => {
  it.each([
    ["2026-01-05T09:00:01.000Z", 1767603601000, null],
    ["2026-01-05T09:00:01Z", 1767603601000, null],
    ["2026-01-05T09:00:01.000", 1767603601000, null],
    ["2026-01-05 09:00:01.000Z", 1767603601000, null],
    ["2026-01-05T09:00:01.123456+00:00", 1767603601123, null],
    ["2024-02-29T00:00:00.000Z", 1709164800000, null],
    ["2099-12-31T23:59:59.999Z", 4102444799999, null],
    ["2100-01-01T00:00:00.000Z", null, "2100-01-01T00:00:00.000Z"],
    ["1970-01-01T23:59:59.999Z", null, "1970-01-01T23:59:59.999Z"],
    ["2026-13-05T09:00:01.000Z", null, "2026-13-05T09:00:01.000Z"],
    ["Jan 5, 2026", null, "Jan 5, 2026"],
    ["", null, ""],
    [1767603601000, 1767603601000, "1767603601000"],
    [true, null, "true"],
  ])("reads %j", (timestamp, entryAt, raw) => {
    const entry = firstEntry({ ...user("a0000001", null), timestamp });
    expect([entry?.["entry_at"], entry?.["entry_at_raw"]]).toEqual([entryAt, raw]);
  });
});

describe("records without an id", () => {
  const records = [1, 2, 3].map((second) => ({
    type: "message",
    timestamp: at(second),
    message: { role: "user", content: `step ${second}` },
  }));

  it("get one from position and content, the same in every run", () => {
    const [first, second] = [readLines([V1_HEADER, ...records]), readLines([V1_HEADER, ...records])];
    const ids = first.entries.map((row) => String(row["entry_id"]));
    expect(ids.every((id, index) => new RegExp(`^~${index + 1}-[0-9a-f]{8}$`).test(id))).toBe(true);
    expect(second.entries.map((row) => row["entry_id"])).toEqual(ids);
  });

  it("hang under the record before", () => {
    const rows = readLines([V1_HEADER, ...records]);
    expect(rows.entry_links.map((row) => row["parent_entry_seq"])).toEqual([null, 1, 2]);
    expect(rows.entries[2]?.["parent_entry_id"]).toBe(rows.entries[1]?.["entry_id"]);
  });

  it("hang under the record before in a version 3 file too", () => {
    const rows = readEntries(user("a0000001", null), { ...records[1] }, user("a0000003", "a0000001"));
    expect(rows.entry_links.map((row) => row["parent_entry_seq"])).toEqual([null, 1, 1]);
    expect(rows.entries.map((row) => row["has_entry_id"])).toEqual([true, false, true]);
  });

  it("follow the position before even where its id comes again later", () => {
    const rows = readEntries(user("a0000001", null), { ...records[1] }, user("a0000001", null));
    expect(rows.entry_links[1]?.["parent_entry_seq"]).toBe(1);
  });

  it("keep an id that version 1 gives them against its rules, and do not use it", () => {
    const rows = readLines([V1_HEADER, user("a0000001", null)]);
    expect(pick(rows.entries, "has_entry_id", "payload_json")).toEqual([
      { has_entry_id: false, payload_json: '{"id":"a0000001"}' },
    ]);
  });

  it("differ between sessions where they have no time and say nothing", () => {
    const empty = { type: "message", message: { role: "user", content: [] } };
    const other = { ...HEADER, id: "s0000002" };
    const keys = [HEADER, other].map((header) => readLines([header, empty]).entries[0]?.["record_key"]);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("hash of what a record says", () => {
  const said = {
    role: "user",
    content: [{ type: "text", text: "count the boxes" }],
    timestamp: 1767603601000,
  };

  it("is equal for a version 1 record and its migrated copy", () => {
    const old = readLines([V1_HEADER, { type: "message", timestamp: at(1), message: said }]);
    const migrated = readEntries({
      message: said,
      timestamp: at(1),
      type: "message",
      id: "f00",
      parentId: null,
    });
    expect(old.entries[0]?.["content_hash"]).toMatch(/^[0-9a-f]{16}$/);
    expect(migrated.entries[0]?.["content_hash"]).toBe(old.entries[0]?.["content_hash"]);
  });

  it("is equal for the two names of an extension's role", () => {
    const fields = { customType: "note", content: "look", display: true };
    const hashes = ["hookMessage", "custom"].map(
      (role) =>
        firstEntry({
          type: "message",
          id: "a1",
          parentId: null,
          timestamp: at(1),
          message: { role, ...fields },
        })?.["content_hash"],
    );
    expect(hashes[0]).toBe(hashes[1]);
  });

  it("sees the end of a long text", () => {
    const hashes = ["a", "b"].map(
      (end) => firstEntry(user("a0000001", null, "x".repeat(5_000) + end))?.["content_hash"],
    );
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it("is NULL where nothing is said", () => {
    expect(firstEntry(user("a0000001", null, []))?.["content_hash"]).toBeNull();
  });
});

describe("parents that are no text", () => {
  it("are named and missing", () => {
    const rows = readEntries(user("a0000001", null), { ...user("a0000002", null), parentId: 5 });
    expect(pick(rows.entry_links, "is_orphan", "parent_entry_seq")).toEqual([
      { is_orphan: false, parent_entry_seq: null },
      { is_orphan: true, parent_entry_seq: null },
    ]);
    expect(rows.entries[1]?.["payload_json"]).toBe('{"parentId":5}');
  });
});
