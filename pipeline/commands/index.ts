import { check } from "./check.js";
import type { Command } from "./command.js";
import { configOf } from "./config.js";
import { ddl } from "./ddl.js";
import { ingest } from "./ingest.js";
import { prune } from "./prune.js";
import { publish } from "./publish.js";
import { schema } from "./schema.js";
import { sql } from "./sql.js";
import { views } from "./views.js";

const working: readonly Command[] = [ingest, sql, views, schema, publish, ddl, check, prune];

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...working, configOf(working)];
