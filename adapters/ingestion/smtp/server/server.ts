// The mail server: smtp-server with our dialogue and our limits. A message is answered 250 only by the delivery it was handed to, and
// stopping lets every message that was begun come to its answer.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { networkOf } from '#core/domain/network.ts';
import type { IntakeService } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Certificate } from './certificate.ts';
import { collect, createRoom } from './receive.ts';
import { MailServer, type Standing } from './connection.ts';
import type { Letter } from './delivery.ts';
import { createDialogue, hasBegun, isSignedIn, requestIdOf, senderOf, signedInForOf } from './session.ts';
import { MAIL_LIMITS } from '../parse/mail.ts';
import { createPace, isLocalPeer, type PaceLimits } from './throttle.ts';
import { Refusal, REPLIES, type Reply } from './reply.ts';

export interface ServerLimits extends PaceLimits {
  connections: number;
  recipients: number;
  /** Of all messages under way together. */
  roomBytes: number;
  idleMs: number;
  /** Without a word before the first message. */
  silentMs: number;
  /** How often clients that are too slow are looked for. */
  lookMs: number;
  /** From DATA to the end of the message. */
  dataMs: number;
  /** How long stopping waits for messages under way. */
  drainMs: number;
}

const LIMITS: ServerLimits = {
  connections: 500,
  connectionsPerAddress: 50,
  connectionsPerLocalAddress: 200,
  perMinute: 600,
  recipients: 50,
  roomBytes: 64 * 1024 * 1024,
  idleMs: 5 * 60_000,
  silentMs: 60_000,
  lookMs: 15_000,
  dataMs: 10 * 60_000,
  drainMs: 5000,
};
const MAX_COMMAND_BYTES = 4096;
/** From here on of all connections, each new one takes the place of one that is idle. */
const NEARLY_FULL = 0.9;

export interface ServerOptions {
  intakeService: Pick<IntakeService, 'find' | 'checkPaused' | 'authorize' | 'refuse'>;
  deliver: (letter: Letter) => Promise<Reply>;
  clock: Clock;
  log: Log;
  smtpDomain: string;
  /** PEM; STARTTLS is offered when given, and passwords are taken under it only. */
  tls?: Certificate;
  limits?: Partial<ServerLimits>;
  /** Whether a client is of our own network; for tests, which have no other clients. */
  isLocal?: (address: string) => boolean;
}

export interface RunningServer {
  /** Rejects when the port cannot be had. Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Twice is fine. */
  stop(): Promise<void>;
  /** For sessions that begin TLS from now on; only where there was one from the start. */
  useCertificate(certificate: Certificate): void;
  /** Bytes of messages under way. */
  roomUsed(): number;
}

export function createServer(options: ServerOptions): RunningServer {
  const { deliver, clock, log, smtpDomain, tls } = options;
  const limits = { ...LIMITS, ...options.limits };
  const isLocal = options.isLocal ?? isLocalPeer;
  const room = createRoom(limits.roomBytes);
  const pace = createPace(limits, clock, isLocal);
  const dialogue = createDialogue({ intakeService: options.intakeService, pace, smtpDomain });
  /** Sessions whose message has begun and is not answered yet, with when the last byte of it is due; null once it is here. */
  const underWay = new Map<SMTPServerSession, number | null>();
  let stopped: Promise<void> | null = null;

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Reply | null> {
    const talk = dialogue.conversation(session);
    const letter = {
      sender: senderOf(session),
      peer: session.remoteAddress,
      isLocal: isLocal(session.remoteAddress),
      helo: typeof session.hostNameAppearsAs === 'string' ? session.hostNameAppearsAs : '',
      intakes: [...talk.recipients.values()],
      signedInFor: signedInForOf(session, talk),
      requestId: requestIdOf(session),
    };
    const collected = await collect(stream, room);
    underWay.set(session, null);
    if (collected.kind === 'gone') return null;
    if (collected.kind !== 'whole') return REPLIES.noRoom;
    try {
      return await deliver({ ...letter, raw: collected.raw });
    } finally {
      collected.release();
    }
  }

  type On<K extends 'onAuth' | 'onData'> = NonNullable<SMTPServerOptions[K]>;
  type Done = (error?: Error | null) => void;
  const answer = (done: Done, reply: Reply | null): void => done(reply === null ? null : new Refusal(reply));

  async function signIn(...[credentials, session, done]: Parameters<On<'onAuth'>>): Promise<void> {
    const reply = await dialogue.signIn(credentials, session);
    if (reply === null) done(null, { user: session.id });
    else done(new Refusal(reply));
  }

  async function recipient(address: string, session: SMTPServerSession, done: Done): Promise<void> {
    answer(done, await dialogue.recipient(address, session));
  }

  async function message(...[stream, session, done]: Parameters<On<'onData'>>): Promise<void> {
    underWay.set(session, clock.monotonic() + limits.dataMs);
    const reply = await receive(stream, session);
    underWay.delete(session);
    if (reply === null) return;
    if (reply.code === 250) done(null, reply.text);
    else done(new Refusal(reply));
    if (stopped !== null) server.dismiss(session, REPLIES.stopping.text);
  }

  /** What is under way, signed in, or has named an intake stays. Who only began a mail could be anybody: dearer than nothing said. */
  function rankOf({ session }: Standing): number | null {
    if (isSignedIn(session) || underWay.has(session)) return null;
    if (!hasBegun(session)) return 0;
    return dialogue.conversation(session).recipients.size > 0 ? null : 1;
  }

  /** Ends the longest idle of these connections; false when all of them are in use. */
  function makeRoom(isAsked: (connection: Standing) => boolean): boolean {
    const rank = (connection: Standing) => (isAsked(connection) ? rankOf(connection) : null);
    const ended = server.makeRoom(rank, REPLIES.makingRoom);
    if (ended !== null) dialogue.disconnect(ended);
    return ended !== null;
  }

  function welcome(session: SMTPServerSession): Reply | null {
    const refused = dialogue.connect(session);
    const own = session.remoteAddress;
    // Many senders share an address of our own network, so what idles there makes room; one from outside has its bound.
    if (refused === null || !isLocal(own)) return refused;
    const isNeighbour = ({ session: other, address }: Standing) =>
      other !== session && networkOf(address) === networkOf(own);
    return makeRoom(isNeighbour) ? dialogue.connect(session) : refused;
  }

  const settings: SMTPServerOptions = {
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
    // Appliances write sender addresses that no standard knows.
    lenientAddressParsing: true,
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: ['WIZ', 'SHELL', 'KILL', ...(tls === undefined ? ['STARTTLS'] : [])],
    ...(tls === undefined ? {} : { ...tls, minVersion: 'TLSv1.2' }),
    onConnect: (session, done) => answer(done, welcome(session)),
    onClose: (session) => {
      underWay.delete(session);
      dialogue.disconnect(session);
    },
    onAuth: (credentials, session, done) => void signIn(credentials, session, done),
    onMailFrom: (_address, session, done) => answer(done, dialogue.begin(session)),
    onRcptTo: ({ address }, session, done) => void recipient(address, session, done),
    onData: (stream, session, done) => void message(stream, session, done),
  };
  const server = new MailServer(
    settings,
    () => clock.monotonic(),
    () => {
      if (server.connections.size >= limits.connections * NEARLY_FULL) makeRoom(() => true);
    },
  );
  server.on('error', (error) => log.debug({ err: error }, 'a mail connection failed'));

  function endSlow(): void {
    const now = clock.monotonic();
    for (const [session, due] of underWay)
      if (due !== null && due <= now) server.dismiss(session, REPLIES.tooSlow.text);
    for (const connection of server.standing())
      if (!connection.hasSent && connection.idleMs >= limits.silentMs && rankOf(connection) === 0)
        server.dismiss(connection.session, REPLIES.silent.text);
  }
  const look = setInterval(endSlow, Math.min(limits.lookMs, limits.dataMs));
  look.unref();

  function stop(): Promise<void> {
    clearInterval(look);
    const closed = new Promise<void>((resolve) => server.close(resolve));
    for (const { session } of server.connections)
      if (!underWay.has(session)) server.dismiss(session, REPLIES.stopping.text);
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
    roomUsed: () => room.used(),
  };
}
