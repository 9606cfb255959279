// Collects the fields of forms: repeated names become lists, and no name has a special meaning.

/** An object of the pairs; `__proto__` becomes a field like any other. */
export function gather(pairs: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}
