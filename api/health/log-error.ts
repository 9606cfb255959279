// What the log says of an error. Clients of databases put the command that failed on their errors, with all
// that was sent: passwords, and the text of tasks.
import { stdSerializers } from 'pino';

/** As pino writes it, but of a command its name alone. */
export function logError(error: Error): unknown {
  const { command, ...rest } = stdSerializers.err(error);
  if (command === undefined) return rest;
  const name: unknown = (command as { name?: unknown } | null)?.name;
  return { ...rest, ...(typeof name === 'string' ? { command: name } : {}) };
}
