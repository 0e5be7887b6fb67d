import { check } from "./check.js";
import type { Command } from "./command.js";
import { ingest } from "./ingest.js";
import { prune } from "./prune.js";
import { publish } from "./publish.js";
import { schema } from "./schema.js";
import { sql } from "./sql.js";
import { views } from "./views.js";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [ingest, sql, views, schema, publish, check, prune];
