import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProjectRule } from "../../pipeline/flow.js";
import { projectFinder } from "../../pipeline/load/map-projects.js";
import { load, query } from "../support/proof-warehouse.js";
import { runPiquet } from "../support/run-piquet.js";
import { tempFolder } from "../support/temp-folder.js";

const SAMPLE = resolve("examples/sessions");

function rule(folders: string, projectPath = "/home/ada/shop"): ProjectRule {
  return { folders, projectPath };
}

describe("projectFinder", () => {
  it.each([
    ["/home/ada/old-shop", "/home/ada/old-shop", true],
    ["/home/ada/old-shop/", "/home/ada/old-shop", true],
    ["/home/ada/old-shop", "/home/ada/old-shop/", true],
    ["/home/ada/old-shop", "/home/ada/old-shop/cart", false],
    ["/home/ada/old-shop", "/home/ada/old-shop-2", false],
    ["/home/ada/trees/*", "/home/ada/trees/fix-cart", true],
    ["/home/ada/trees/*", "/home/ada/trees", false],
    ["/home/ada/trees/*", "/home/ada/trees/fix-cart/web", false],
    ["/home/ada/shop-*", "/home/ada/shop-fix", true],
    ["/home/ada/shop-*", "/home/ada/shop-", true],
    ["/home/ada/shop-*/web", "/home/ada/shop-fix/web", true],
    ["/home/ada/trees/**", "/home/ada/trees", true],
    ["/home/ada/trees/**", "/home/ada/trees/fix-cart/web", true],
    ["/home/ada/trees/**", "/home/ada/treeshop", false],
    ["/home/**/shop", "/home/shop", true],
    ["/home/**/shop", "/home/ada/work/shop", true],
    ["**/shop", "/srv/shop", true],
    ["**/shop", "D:\\work\\shop", true],
    ["D:\\work\\*", "D:\\work\\shop", true],
    ["/home/ada/[x] (1).2/*", "/home/ada/[x] (1).2/a", true],
    ["/home/ada/[x] (1).2/*", "/home/ada/x (1)42/a", false],
    ["/home/ada/Shop", "/home/ada/shop", false],
    ["/", "/", true],
  ])("%s with the folder %s: %s", (folders, folder, isMatch) => {
    expect(projectFinder([rule(folders)])(folder)).toBe(isMatch ? "/home/ada/shop" : null);
  });

  it("takes the rule that says most, whatever the order", () => {
    const rules = [
      rule("/home/ada/**", "all"),
      rule("/home/ada/trees/*", "a tree"),
      rule("/home/ada/trees/**", "below a tree"),
      rule("/home/ada/trees/docs", "docs"),
    ];
    for (const order of [rules, rules.toReversed()]) {
      const projectOf = projectFinder(order);
      expect(
        ["/home/ada/x", "/home/ada/trees/x", "/home/ada/trees/x/y", "/home/ada/trees/docs", "/srv"].map(
          projectOf,
        ),
      ).toEqual(["all", "a tree", "below a tree", "docs", null]);
    }
  });
});

const PROJECTS = `select project_path, project_name, count(*)::integer as sessions from v1.sessions
  group by all order by all`;
const SPEND =
  "select project_path, sum(cost_usd)::decimal(18, 9) as cost_usd from v1.spend_daily group by all";

describe("a load with a mapping", () => {
  it("shows sessions under their project, and keeps the header's folder beside it", async () => {
    const dbPath = join(tempFolder(), "w.duckdb");
    await load(dbPath, [SAMPLE]);
    const plain = await query(dbPath, SPEND);
    expect(plain).toEqual([{ project_path: "/home/ada/shop", cost_usd: "0.153150000" }]);

    await load(dbPath, [SAMPLE], { projects: [rule("/home/*/shop", "/srv/web shop")] });
    expect(await query(dbPath, SPEND)).toEqual([{ ...plain[0], project_path: "/srv/web shop" }]);
    expect(await query(dbPath, "select distinct project_path, project_name from v1.sessions")).toEqual([
      { project_path: "/srv/web shop", project_name: "web shop" },
    ]);
    expect(await query(dbPath, "select distinct project_path, project_name from base.sessions")).toEqual([
      { project_path: "/home/ada/shop", project_name: "shop" },
    ]);

    await load(dbPath, [SAMPLE], { projects: [rule("/elsewhere", "/srv/other")] });
    expect(await query(dbPath, SPEND)).toEqual(plain);
  });

  it("maps gone sessions and those that come later, and forgets all once the mapping is gone", async () => {
    const folder = tempFolder();
    const dbPath = join(folder, "w.duckdb");
    const [early, late] = [join(folder, "sessions/early"), join(folder, "sessions/late")];
    const projects = [rule("/home/ada/shop", "/srv/shop")];
    const mapped =
      "select is_present, mapped_project_path, count(*)::integer as n from base.sessions group by all order by all";
    cpSync(SAMPLE, early, { recursive: true });
    await load(dbPath, [join(folder, "sessions")]);
    rmSync(
      join(early, "--home-ada-shop--/2026-01-05T09-00-00-000Z_0190a000-0000-7000-8000-00000000000a.jsonl"),
    );
    await load(dbPath, [join(folder, "sessions")], { projects });
    expect(await query(dbPath, mapped)).toEqual([
      { is_present: false, mapped_project_path: "/srv/shop", n: 1 },
      { is_present: true, mapped_project_path: "/srv/shop", n: 3 },
    ]);

    cpSync(SAMPLE, late, { recursive: true });
    await load(dbPath, [join(folder, "sessions")], { projects });
    expect(
      await query(
        dbPath,
        "select count(*)::integer as n from base.sessions where mapped_project_path is null",
      ),
    ).toEqual([{ n: 0 }]);

    await load(dbPath, [join(folder, "sessions")]);
    expect(await query(dbPath, "select distinct mapped_project_path from base.sessions")).toEqual([
      { mapped_project_path: null },
    ]);
    expect(await query(dbPath, "select * from meta.settings where key = 'project_mapping'")).toEqual([]);
  });

  it("reads the mapping from the config file", async () => {
    const config = { projects: { "/home/ada/*": "~/web" }, db: "w.duckdb" };
    const home = tempFolder({ ".config/piquet/config.json": JSON.stringify(config) });
    expect((await runPiquet(["ingest", SAMPLE], { home })).exitCode).toBe(0);
    const { stdout } = await runPiquet(["sql", "--format", "csv", PROJECTS], { home });
    expect(stdout).toContain(`${join(home, "web")},web,4`);
  });
});
