/** Where random choices begin; another number tries other faults. */
export const tortureSeed = numberFrom("PIQUET_TORTURE_SEED", 20_260_105);

/** Mutants of session files: a few in the ordinary tests, many in `make torture`. */
export const mutantCount = numberFrom("PIQUET_TORTURE_MUTANTS", 3_000);

/** Warehouses that mutants are loaded into, 100 each. */
export const loadCount = Math.ceil(mutantCount / 2_000);

/** Runs that are killed at a random moment. */
export const killCount = numberFrom("PIQUET_TORTURE_KILLS", 3);

function numberFrom(name: string, usual: number): number {
  const given = process.env[name];
  const value = given === undefined ? usual : Number(given);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name}: expected a count, found ${given}`);
  return value;
}
