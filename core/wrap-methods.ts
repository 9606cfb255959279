// Puts one function around every method of a store, or of all stores of a storage.
import type { Storage } from './ports/storage.ts';

type Method = (...args: never[]) => Promise<unknown>;

/** The store with each of its methods called through `around`, which is told the method's name. */
function wrapMethods<S extends Record<keyof S, Method>>(
  store: S,
  around: <T>(call: () => Promise<T>, name: string) => Promise<T>,
): S {
  const wrapped: [string, Method][] = Object.entries<Method>(store).map(([name, method]) => [
    name,
    (...args) => around(() => method(...args), name),
  ]);
  return Object.fromEntries(wrapped) as S;
}

type Stores = Pick<
  Storage,
  | 'tasks'
  | 'accounts'
  | 'rejected'
  | 'intakes'
  | 'adapterData'
  | 'push'
  | 'secrets'
  | 'webhooks'
  | 'followUps'
  | 'work'
>;

/** The stores alone, with each method called through `around`, which is told its name and its store's. */
export function wrapStores(
  { tasks, accounts, rejected, intakes, adapterData, push, secrets, webhooks, followUps, work }: Stores,
  around: <T>(call: () => Promise<T>, method: string, store: keyof Stores) => Promise<T>,
): Stores {
  const of =
    (store: keyof Stores) =>
    <T>(call: () => Promise<T>, method: string): Promise<T> =>
      around(call, method, store);
  return {
    tasks: wrapMethods(tasks, of('tasks')),
    accounts: wrapMethods(accounts, of('accounts')),
    rejected: wrapMethods(rejected, of('rejected')),
    intakes: wrapMethods(intakes, of('intakes')),
    adapterData: wrapMethods(adapterData, of('adapterData')),
    push: wrapMethods(push, of('push')),
    secrets: wrapMethods(secrets, of('secrets')),
    webhooks: wrapMethods(webhooks, of('webhooks')),
    followUps: wrapMethods(followUps, of('followUps')),
    work: wrapMethods(work, of('work')),
  };
}
