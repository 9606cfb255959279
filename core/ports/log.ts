// The structured log of the program.

/**
 * Each entry: its fields, then a sentence. A field `isOver`, a function, says of a state that is told of when
 * it begins whether it has ended; it is not written.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
