import { describe, expect, it } from "vitest";
import { askLake } from "../support/lake.js";
import { lakeOfHomes, MIGRATED_APART } from "../support/machine-lakes.js";
import { tempFolder } from "../support/temp-folder.js";

const COST = "select sum(cost_usd)::double as cost from v1";

describe("money of one session that two machines know by different ids", () => {
  it.each(MIGRATED_APART)("counts once: %s", async (_name, homes, dollars) => {
    const lake = await lakeOfHomes(tempFolder(), homes);
    const [daily, bySession] = await askLake(lake, [`${COST}.spend_daily`, `${COST}.spend_by_session`]);
    expect([daily, bySession]).toEqual([[{ cost: dollars }], [{ cost: dollars }]]);
  });
});
