// The mail server: smtp-server with our transactions and limits. A message is answered 250 only after its
// delivery; stopping waits for every message in flight.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { IntakeService } from '#core/ports/adapter/intake.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Log } from '#core/ports/log.ts';
import { MAIL_LIMITS } from '../parse/mail.ts';
import type { Certificate } from './certificate.ts';
import { MailServer } from './connection.ts';
import type { Message } from './delivery.ts';
import { createEviction } from './eviction.ts';
import { createMemoryBudget, receive, type MemoryBudget } from './receive.ts';
import { Refusal, REPLIES, type Reply } from './reply.ts';
import { createThrottle, isLocalAddress, type ThrottleLimits } from './throttle.ts';
import {
  createTransactions,
  requestIdOf,
  senderOf,
  signedInForOf,
  type Transactions,
} from './transactions.ts';

export interface ServerLimits extends ThrottleLimits {
  connections: number;
  recipients: number;
  /** Of all messages in flight together. */
  inFlightBytes: number;
  idleMs: number;
  /** Idle time before the first message. */
  idleFirstMs: number;
  /** Time between checks for slow clients. */
  checkMs: number;
  /** From DATA to the end of the message. */
  dataMs: number;
  /** Time that stopping waits for messages in flight. */
  drainMs: number;
}

const LIMITS: ServerLimits = {
  connections: 500,
  connectionsPerAddress: 50,
  connectionsPerLocalAddress: 200,
  perMinute: 600,
  recipients: 50,
  inFlightBytes: 64 * 1024 * 1024,
  idleMs: 5 * 60_000,
  idleFirstMs: 60_000,
  checkMs: 15_000,
  dataMs: 10 * 60_000,
  drainMs: 5000,
};
const MAX_COMMAND_BYTES = 4096;
/** From this share of all connections on, each new one evicts an idle one. */
const NEARLY_FULL = 0.9;

export interface ServerOptions {
  intakeService: Pick<IntakeService, 'find' | 'checkPaused' | 'authorize' | 'refuse'>;
  deliver: (message: Message) => Promise<Reply>;
  clock: Clock;
  log: Log;
  smtpDomain: string;
  /** PEM; when given, STARTTLS is offered and passwords are accepted under TLS only. */
  tls?: Certificate;
  limits?: Partial<ServerLimits>;
  /** Called with the code of each answer to a mail, and to a recipient that is not taken. */
  onReply?: (code: number) => void;
  /** Whether a client address is local; for tests, which have no other clients. */
  isLocal?: (address: string) => boolean;
}

export interface RunningServer {
  /** Resolves with the port; rejects when it cannot be used. */
  listen(port: number, host: string): Promise<number>;
  /** Twice is fine. */
  stop(): Promise<void>;
  /** For sessions that start TLS from now on; only if there was a certificate from the start. */
  useCertificate(certificate: Certificate): void;
  /** Open connections. */
  connections(): number;
  /** Bytes of messages in flight. */
  bytesInFlight(): number;
}

type OnData = Parameters<NonNullable<SMTPServerOptions['onData']>>;
type Done = (error?: Error | null) => void;

export function createServer(options: ServerOptions): RunningServer {
  const { deliver, clock, log, smtpDomain, onReply, isLocal = isLocalAddress } = options;
  const limits = { ...LIMITS, ...options.limits };
  const memory = createMemoryBudget(limits.inFlightBytes);
  const throttle = createThrottle(limits, clock, isLocal);
  const transactions = createTransactions({ intakeService: options.intakeService, throttle, smtpDomain });
  /** See {@link InFlight}. */
  const inFlight = new Map<SMTPServerSession, number | null>();
  let stopped: Promise<void> | null = null;

  async function onMessage(...[stream, session, done]: OnData): Promise<void> {
    inFlight.set(session, clock.monotonic() + limits.dataMs);
    const envelope = envelopeOf(session, transactions, isLocal(session.remoteAddress));
    const onReceived = () => inFlight.set(session, null);
    const reply = await receiveAndDeliver(stream, memory, onReceived, (raw) => deliver({ ...envelope, raw }));
    inFlight.delete(session);
    if (reply === null) return;
    onReply?.(reply.code);
    if (reply.code === 250) done(null, reply.text);
    else done(new Refusal(reply));
    if (stopped !== null) server.endSession(session, REPLIES.stopping.text);
  }

  function onConnect(session: SMTPServerSession): Reply | null {
    const refused = transactions.connect(session);
    // Many senders share a local address, so its idle connections give way; other addresses keep their limit.
    if (refused === null || !isLocal(session.remoteAddress)) return refused;
    return eviction.evictNeighbour(session) ? transactions.connect(session) : refused;
  }

  const server = new MailServer(
    {
      ...settingsOf(options, limits),
      onConnect: (session, done) => answer(done, onConnect(session)),
      onClose: (session) => {
        inFlight.delete(session);
        transactions.disconnect(session);
      },
      onAuth: (credentials, session, done) =>
        void transactions.signIn(credentials, session).then((reply) => {
          if (reply === null) return done(null, { user: session.id });
          return done(new Refusal(reply));
        }),
      onMailFrom: (_address, session, done) => answer(done, transactions.begin(session)),
      onRcptTo: ({ address }, session, done) =>
        void transactions.addRecipient(address, session).then((reply) => {
          if (reply !== null) onReply?.(reply.code);
          return answer(done, reply);
        }),
      onData: (stream, session, done) => void onMessage(stream, session, done),
    },
    () => clock.monotonic(),
    () => {
      if (server.connections.size >= limits.connections * NEARLY_FULL) eviction.evictOne();
    },
  );
  const eviction = createEviction(server, transactions, inFlight);
  server.on('error', (error) => log.debug({ err: error }, 'a mail connection failed'));
  const timer = setInterval(
    () => eviction.endSlow(limits.idleFirstMs),
    Math.min(limits.checkMs, limits.dataMs),
  ).unref();

  function stop(): Promise<void> {
    clearInterval(timer);
    const closed = new Promise<void>((resolve) => server.close(resolve));
    for (const { session } of server.connections)
      if (!inFlight.has(session)) server.endSession(session, REPLIES.stopping.text);
    return closed;
  }

  return {
    async listen(port, host) {
      const listening = server.listen(port, host);
      await once(listening, 'listening');
      return (listening.address() as AddressInfo).port;
    },
    stop: () => (stopped ??= stop()),
    useCertificate: (certificate) => server.updateSecureContext({ ...certificate }),
    connections: () => server.connections.size,
    bytesInFlight: () => memory.used(),
  };
}

function settingsOf({ smtpDomain, tls }: ServerOptions, limits: ServerLimits): SMTPServerOptions {
  return {
    name: smtpDomain,
    banner: 'Qinbox',
    logger: false,
    size: MAIL_LIMITS.maxBytes,
    rejectOversized: true,
    maxClients: limits.connections,
    maxRecipients: limits.recipients,
    maxCommandLength: MAX_COMMAND_BYTES,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.drainMs,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // Appliances send addresses that follow no standard.
    lenientAddressParsing: true,
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: ['WIZ', 'SHELL', 'KILL', ...(tls === undefined ? ['STARTTLS'] : [])],
    ...(tls === undefined ? {} : { ...tls, minVersion: 'TLSv1.2' }),
  };
}

function answer(done: Done, reply: Reply | null): void {
  done(reply === null ? null : new Refusal(reply));
}

function envelopeOf(
  session: SMTPServerSession,
  transactions: Transactions,
  isLocal: boolean,
): Omit<Message, 'raw'> {
  const state = transactions.stateOf(session);
  return {
    sender: senderOf(session),
    clientAddress: session.remoteAddress,
    isLocal,
    helo: typeof session.hostNameAppearsAs === 'string' ? session.hostNameAppearsAs : '',
    intakes: [...state.recipients.values()],
    signedInFor: signedInForOf(session, state),
    requestId: requestIdOf(session),
  };
}

/** Null when the client was gone before the end. */
async function receiveAndDeliver(
  stream: SMTPServerDataStream,
  memory: MemoryBudget,
  onReceived: () => void,
  deliver: (raw: Buffer) => Promise<Reply>,
): Promise<Reply | null> {
  const received = await receive(stream, memory);
  onReceived();
  if (received.kind === 'gone') return null;
  if (received.kind !== 'whole') return REPLIES.noMemory;
  try {
    return await deliver(received.raw);
  } finally {
    received.release();
  }
}
