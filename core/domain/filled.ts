// Leaves out the fields of an object that say nothing, so that a field is either absent or has a value.

type Filled<T> = { [Name in keyof T]?: Exclude<T[Name], undefined | null> };

/** The fields but undefined, null and empty ones: texts, lists and objects without anything in them. */
export function filled<T extends object>(fields: T): Filled<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as Filled<T>;
}

/** The fields but undefined ones. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> };
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
