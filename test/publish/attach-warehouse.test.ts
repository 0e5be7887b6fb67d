import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { attachWarehouse } from "../../pipeline/publish/attach-warehouse.js";
import { smallWarehouse } from "../support/small-warehouse.js";
import { tempFolder } from "../support/temp-folder.js";

describe("attachWarehouse", () => {
  it("works where a run was killed while it made its lock", async () => {
    const dbPath = await smallWarehouse();
    writeFileSync(`${dbPath}.publishing`, Buffer.alloc(8192, "DUCK"));
    const options = { dbPath, memoryLimitBytes: 2 ** 29, tempDir: tempFolder() };
    const warehouse = await attachWarehouse(options);
    const rows = await warehouse.connection.runAndReadAll("select count(*)::integer from base.usage");
    warehouse.close();
    expect([rows.getRows(), existsSync(`${dbPath}.publishing`)]).toEqual([[[2]], true]);
  });
});
