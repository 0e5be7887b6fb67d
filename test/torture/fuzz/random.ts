/** Random choices that come out the same for one seed, on any machine. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** Whole number from 0 to below `end`. */
  below(end: number): number;
  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T;
  chance(share: number): boolean;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    pick: (from) => {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
    chance: (share) => next() < share,
  };
}
