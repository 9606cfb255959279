// A chat that takes what is posted as to an incoming webhook of Slack, and a relay for mail.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Chat {
  url: string;
  /** What was posted, in order; also what was not taken. */
  texts: string[];
  /** The statuses of the next answers, or none at all; then 200. */
  answers: (number | 'hangs up')[];
  close(): Promise<void>;
}

export async function startChat(): Promise<Chat> {
  const texts: string[] = [];
  const answers: Chat['answers'] = [];
  const server = createServer((request, response) => {
    void (async () => {
      texts.push(((await json(request)) as { text: string }).text);
      const status = answers.shift() ?? 200;
      if (status === 'hangs up') return void request.socket.destroy();
      response.writeHead(status).end(status === 200 ? 'ok' : 'no_service');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T000/B000/secret1234`,
    texts,
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface MailTaken {
  to: string;
  subject: string;
  text: string;
  messageId: string | null;
}

export interface Relay {
  /** What a program needs to use it. */
  env: Record<string, string>;
  taken: MailTaken[];
  /** While set, mail is put off (451). */
  isAway: boolean;
  close(): Promise<void>;
}

/** Anybody at example.com may be mailed over it. */
export async function startRelay(): Promise<Relay> {
  const taken: MailTaken[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom(_address, _session, done) {
      done(relay.isAway ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null);
    },
    onData(stream, { envelope }, done) {
      // A program that was killed leaves half a mail.
      const parsed = simpleParser(stream).then(({ subject = '', text = '', messageId = null }) =>
        taken.push({ to: envelope.rcptTo[0]?.address ?? '', subject, text, messageId }),
      );
      parsed.then(() => done(), done);
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const relay: Relay = {
    isAway: false,
    env: {
      MAIL_RELAY_URL: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
      MAIL_FROM: 'Qinbox <qinbox@example.com>',
      MAIL_TO: '@example.com',
      MAIL_PER_OWNER_PER_HOUR: '1000000',
    },
    taken,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return relay;
}
