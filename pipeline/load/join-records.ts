/**
 * Names each group of identities that stand for one record after its smallest member. Pairs are edges,
 * so a chain of copies becomes one record. Only members of a group are in the result.
 */
export function joinIdentities(pairs: Iterable<readonly [string, string]>): Map<string, string> {
  const parents = new Map<string, string>();
  const find = (key: string): string => {
    let root = key;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next;
    for (let at = key; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const [one, other] of pairs) {
    const [a, b] = [find(one), find(other)];
    const [low, high] = a < b ? [a, b] : [b, a];
    parents.set(low, low);
    parents.set(high, low);
    parents.set(one, low);
    parents.set(other, low);
  }
  return new Map([...parents.keys()].map((key) => [key, find(key)]));
}
