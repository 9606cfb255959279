// A mail server for tests: the real server and the real reading on a free port, an intake service in memory,
// and a client that sends one line at a time.
import { connect, type Socket } from 'node:net';
import { createDelivery } from '#adapters/ingestion/smtp/server/delivery.ts';
import { sharedReader } from '#adapters/ingestion/smtp/parse/mail-reader.ts';
import {
  createServer,
  type RunningServer,
  type ServerOptions,
} from '#adapters/ingestion/smtp/server/server.ts';
import type { VerdictSource } from '#adapters/ingestion/smtp/sender-checks/verdicts.ts';
import { QinboxError } from '#core/errors.ts';
import type { Delivery, IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import type { Clock } from '#core/ports/clock.ts';
import { systemClock } from '#core/system-clock.ts';

import { intakeOf as recordOf } from './records.ts';

export const DOMAIN = 'in.example.com';
const quiet = (): void => {};
const silentLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** An intake whose token is its id. */
export function intakeOf(
  id: string,
  settings: IntakeWithSecrets['settings'] = {},
  paused = false,
): IntakeWithSecrets {
  return { ...recordOf('usr_1', { id, name: id, settings, paused }), secrets: {} };
}

export interface TestIntakeService extends IntakeService {
  /** Arrivals, each once: a repeat of a replay key at the same intake is not another. */
  taken: Delivery[];
  refused: { intake: string; reason: string; notes: Readonly<Record<string, string>> }[];
  /** What is down right now: the store itself, or the taking in at intakes with these ids. */
  down: Set<string>;
  /** Ids of intakes that have had enough. */
  full: Set<string>;
}

function createTestIntakeService(intakes: readonly IntakeWithSecrets[]): TestIntakeService {
  const seen = new Set<string>();
  const away = () => new QinboxError('SERVICE_UNAVAILABLE', 'The store cannot be reached right now.');
  const intakeService: TestIntakeService = {
    taken: [],
    refused: [],
    down: new Set(),
    full: new Set(),
    async find(token) {
      if (intakeService.down.has('store')) throw away();
      return intakes.find(({ id }) => id === token) ?? null;
    },
    checkPaused({ paused }) {
      if (paused) throw new QinboxError('SERVICE_UNAVAILABLE', 'This address is paused.');
    },
    async authorize(intake) {
      intakeService.checkPaused(intake);
      if (intakeService.full.has(intake.id))
        throw new QinboxError('SERVICE_UNAVAILABLE', 'This address takes no more for the moment.');
    },
    async ingest(delivery) {
      if (intakeService.down.has(delivery.intake.id)) throw away();
      const key = `${delivery.intake.id} ${delivery.replayKey}`;
      if (seen.has(key)) return { kind: 'duplicate', deliveryId: 'dlv_1', taskIds: [] };
      seen.add(key);
      intakeService.taken.push(delivery);
      return { kind: 'accepted', deliveryId: 'dlv_1', taskIds: ['task_1'] };
    },
    noteHandshake() {},
    refuse(intake, reason, { notes = {} } = {}) {
      intakeService.refused.push({ intake: intake.id, reason, notes });
      return true;
    },
  };
  return intakeService;
}

/** Verdicts that nobody should ask for. */
const noVerdicts: VerdictSource = {
  check: () => Promise.reject(new Error('no verdict was to be asked for')),
  close: () => Promise.resolve(),
};

export interface TestMail extends RunningServer {
  port: number;
  intakeService: TestIntakeService;
}

export interface TestMailOptions extends Partial<Pick<ServerOptions, 'tls' | 'limits' | 'isLocal'>> {
  clock?: Clock;
  verdicts?: VerdictSource;
  /** Where to listen; 127.0.0.1 unless set. */
  host?: string;
}

/** Starts a server on a free port; `stop` ends it. Its mails are read by threads that other servers share. */
export async function startMail(
  intakes: readonly IntakeWithSecrets[],
  options: TestMailOptions = {},
): Promise<TestMail> {
  const { clock = systemClock, verdicts = noVerdicts, host = '127.0.0.1', ...rest } = options;
  const intakeService = createTestIntakeService(intakes);
  const deliver = createDelivery({
    intakeService,
    reader: sharedReader(),
    verdicts,
    smtpDomain: DOMAIN,
    log: silentLog,
  });
  const server = createServer({ intakeService, deliver, clock, log: silentLog, smtpDomain: DOMAIN, ...rest });
  const port = await server.listen(0, host);
  return {
    ...server,
    port,
    intakeService,
  };
}

export interface TestClient {
  /** Sends a line and answers the reply to it, lines joined with "\n". */
  say(line: string): Promise<string>;
  /** Sends bytes as they are. */
  write(bytes: string | Buffer): void;
  /** The next reply, of what was sent before; empty when the connection is closed instead. */
  reply(): Promise<string>;
  /** Sends these lines one after the other and answers the codes: `250 2.1.0`. */
  codes(...lines: string[]): Promise<string[]>;
  socket: Socket;
  /** Resolves when the server has closed the connection. */
  closed: Promise<unknown>;
}

/** Connects, and reads the greeting. */
export async function openClient(port: number, host = '127.0.0.1'): Promise<TestClient> {
  const socket = connect(port, host);
  const closed = new Promise<unknown>((resolve) => socket.once('close', resolve));
  const replies: string[] = [];
  let lines: string[] = [];
  let pending = '';
  let wake: (() => void) | null = null;
  let isOver = false;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const parts = (pending + text).split('\r\n');
    pending = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      if (line[3] === '-') continue;
      replies.push(lines.join('\n'));
      lines = [];
    }
    wake?.();
  });
  socket.once('close', () => {
    isOver = true;
    wake?.();
  });
  socket.on('error', quiet);
  const client: TestClient = {
    socket,
    closed,
    write: (bytes) => void socket.write(bytes),
    async reply() {
      while (replies.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      return replies.shift() ?? '';
    },
    say(line) {
      socket.write(`${line}\r\n`);
      return client.reply();
    },
    async codes(...said) {
      const codes: string[] = [];
      for (const line of said) codes.push(codeOf(await client.say(line)));
      return codes;
    },
  };
  await client.reply();
  return client;
}

/** `250 2.1.0` of `250 2.1.0 Accepted`; the bare code where there is no other. */
export function codeOf(reply: string): string {
  return /^\d{3}(?:[ -]\d\.\d+\.\d+)?/.exec(reply)?.[0].replace('-', ' ') ?? reply;
}

/** A mail with this subject, ready for DATA without the final dot. */
export function mailOf(subject: string, body = 'The disk is full.'): string {
  return [
    'From: Monitor <monitor@example.org>',
    `To: inbox@${DOMAIN}`,
    `Subject: ${subject}`,
    `Message-ID: <${encodeURIComponent(subject)}@example.org>`,
    '',
    body,
    '',
  ].join('\r\n');
}

/** The lines that bring a client up to DATA for these recipients. */
export function envelopeTo(...tokens: string[]): string[] {
  return [
    'MAIL FROM:<monitor@example.org>',
    ...tokens.map((token) => `RCPT TO:<${token}@${DOMAIN}>`),
    'DATA',
  ];
}
