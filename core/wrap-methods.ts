// Puts one function around every method of a store.

type Method = (...args: never[]) => Promise<unknown>;

/** The store with each of its methods called through `around`, which is told the method's name. */
export function wrapMethods<S extends Record<keyof S, Method>>(
  store: S,
  around: <T>(call: () => Promise<T>, name: string) => Promise<T>,
): S {
  const wrapped: [string, Method][] = Object.entries<Method>(store).map(([name, method]) => [
    name,
    (...args) => around(() => method(...args), name),
  ]);
  return Object.fromEntries(wrapped) as S;
}
