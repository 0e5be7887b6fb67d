import { rmSync } from "node:fs";
import { join } from "node:path";
import { Session } from "chdb";
import { afterAll } from "vitest";
import { proofFolder } from "../../support/proof-folder.js";

export interface ClickHouse {
  /** Runs the statements of a text, each ended by `;` at the end of a line. */
  readonly runAll: (sql: string) => void;
  /** Writes the result of a query to a Parquet file. */
  readonly writeParquet: (sql: string, path: string) => void;
  readonly value: (sql: string) => string;
}

/** ClickHouse in this process, with a folder of its own for the tests of a file. */
export function openClickHouse(): ClickHouse {
  const session = new Session(join(proofFolder(), "clickhouse"));
  afterAll(() => session.cleanup());
  const query = (sql: string): string => session.query(sql, "TSV");
  return {
    runAll: (sql) => {
      for (const statement of sql.split(/;\n/)) {
        if (statement.replaceAll(/^--.*$/gm, "").trim() !== "") query(statement);
      }
    },
    writeParquet: (sql, path) => {
      rmSync(path, { force: true });
      query(`insert into function file('${path}', Parquet) ${sql}`);
    },
    value: (sql) => query(sql).trim(),
  };
}
