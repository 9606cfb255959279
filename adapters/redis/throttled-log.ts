// Logs what repeats itself while something is away once a minute, with how often it was, not each time.
import type { Log } from '#core/ports/log.ts';

const INTERVAL_MS = 60_000;

/**
 * Warns at once the first time; for the next minute the same message about the same adapter is only counted,
 * and then logged once more with its number as `times`.
 */
export function createThrottledLog(log: Pick<Log, 'warn'> | undefined) {
  const counts = new Map<string, { times: number; fields: object }>();

  function watch(key: string, message: string): void {
    setTimeout(() => {
      const { times, fields } = counts.get(key) ?? { times: 0, fields: {} };
      counts.delete(key);
      if (times === 0) return;
      log?.warn({ ...fields, times }, message);
      counts.set(key, { times: 0, fields });
      watch(key, message);
    }, INTERVAL_MS).unref();
  }

  return {
    warn(fields: object, message: string): void {
      const key = `${'adapter' in fields ? String(fields.adapter) : ''} ${message}`;
      const seen = counts.get(key);
      if (seen !== undefined) {
        seen.times++;
        seen.fields = fields;
        return;
      }
      counts.set(key, { times: 0, fields });
      log?.warn(fields, message);
      watch(key, message);
    },
  };
}
