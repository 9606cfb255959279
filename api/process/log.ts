// The log, on standard error and without secrets: lines of JSON for programs, and in a terminal lines that a
// person can read.
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '#core/config.ts';
import { logError } from '../health/log-error.ts';
import type { Tracing } from '../tracing/tracing.ts';

const STDERR = 2;
/** Every secret that could get into a log line. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  'token',
  'refreshToken',
  'password',
  'key',
  'secret',
];
/** What tells processes apart; who looks at a terminal started the one that writes there. */
const NOT_FOR_PEOPLE = 'pid,hostname,instance,role';
/**
 * Control characters in a line of JSON, but no line feed: up to U+001F they are escaped there. Changes of
 * direction as well. A backslash that is itself escaped is found first, and stays.
 */
const CONTROL =
  /\\\\|\\u00[01][\da-f]|\\[bfrt]|[\u{7f}-\u{9f}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/giu;

const ESCAPED_BACKSLASH = String.raw`\\`;

type LogConfig = Pick<Config, 'logLevel' | 'logFormat' | 'roles' | 'tracing'>;

/** Each line says which process wrote it, and is written before the call returns. */
export async function createLog(config: LogConfig, instance: string, tracing: Tracing): Promise<Logger> {
  return pino(
    {
      level: config.logLevel,
      base: { instance, role: config.roles.join(',') },
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: logError },
      ...(config.tracing ? { mixin: () => tracing.logFields() } : {}),
    },
    await openStream(config.logFormat),
  );
}

async function openStream(format: Config['logFormat']): Promise<DestinationStream> {
  const isText = format === null ? process.stderr.isTTY : format === 'text';
  if (!isText) return pino.destination({ dest: STDERR, sync: true });
  const { default: pretty } = await import('pino-pretty');
  const text = pretty({
    destination: STDERR,
    sync: true,
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
    translateTime: 'SYS:HH:MM:ss',
    ignore: NOT_FOR_PEOPLE,
    singleLine: true,
  });
  // A terminal obeys control characters, and what senders wrote may be in a line.
  const withoutControl = (found: string) => (found === ESCAPED_BACKSLASH ? found : ' ');
  return { write: (line) => void text.write(line.replaceAll(CONTROL, withoutControl)) };
}
