// Guarantees of the threads: a mail that takes too much processor time is refused, the others are read,
// closing answers every caller.
import { hostileMails } from '#test/helpers/hostile-mails.ts';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { MailReader } from './mail.ts';
import { toDelivery } from './to-delivery.ts';
import { createReader, type ReaderOptions } from './mail-reader.ts';

const open: MailReader[] = [];

let shared: MailReader | undefined;

afterAll(() => shared?.close());
afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.close()));
});

function reader(options?: ReaderOptions): MailReader {
  const made = createReader(options);
  open.push(made);
  return made;
}

/** A thread that hangs on a mail with "hang" and dies of one with "die"; it reads the others. */
const FAULTY = new URL('../../../../test/helpers/faulty-mail-worker.ts', import.meta.url);
const large = (subject: string) =>
  Buffer.from(`Subject: ${subject}\r\n\r\n${'All is well.\r\n'.repeat(3000)}`);

const small = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nAll is well.\r\n`);

async function outcomes(
  mails: MailReader,
  subjects: readonly string[],
  mailOf = large,
): Promise<(string | null)[]> {
  const reads = await Promise.all(subjects.map((subject) => mails.read(mailOf(subject))));
  return reads.map((read) => (read.kind === 'mail' ? read.mail.subject : read.reason));
}

test('small mails and large ones, many at once, are each answered with their own', async () => {
  const mails = reader({ threads: 2 });
  const subjects = Array.from({ length: 60 }, (_, index) => `number ${index}`);
  const smallReads = Promise.all(
    subjects.map((subject) => mails.read(Buffer.from(`Subject: ${subject} !high\r\n\r\nx`))),
  );
  expect(await outcomes(mails, subjects)).toEqual(subjects);
  const tasks = (await smallReads).map((read) =>
    read.kind === 'mail' ? toDelivery(read.mail).tasks[0] : null,
  );
  expect(tasks.map((task) => [task?.content, task?.priority])).toEqual(
    subjects.map((subject) => [subject, 'high']),
  );
});

test.each(hostileMails(1))(
  '1 MiB of $name stays within the processor time of a mail: $outcome',
  async ({ raw, outcome }) => {
    const read = await (shared ??= createReader()).read(raw);
    expect(read.kind).toBe(outcome === 'refused' ? 'refused' : 'mail');
    if (read.kind === 'refused') expect(read.reason).not.toContain('took too long');
  },
);

test('a mail that hangs its thread is refused and the others are read by the next', async () => {
  const mails = reader({ script: FAULTY });
  expect(await outcomes(mails, ['a', 'hang', 'b', 'c'])).toEqual([
    'a',
    'The mail took too long to read.',
    'b',
    'c',
  ]);
});

test('mails that wait in a thread that hangs or dies are read by the next, each answered with its own', async () => {
  const mails = reader({ script: FAULTY, threads: 1 });
  expect(await outcomes(mails, ['a', 'hang', 'b', 'die', 'c', 'd'], small)).toEqual([
    'a',
    'The mail took too long to read.',
    'b',
    'The mail could not be read.',
    'c',
    'd',
  ]);
});

test('a mail that its thread dies of is refused and the others are read by the next', async () => {
  const mails = reader({ script: FAULTY });
  expect(await outcomes(mails, ['a', 'die', 'b'])).toEqual(['a', 'The mail could not be read.', 'b']);
});

test('threads that never begin make reading fail, for the sender to try again', async () => {
  const mails = reader({ script: new URL('./no-such-worker.ts', import.meta.url) });
  await expect(mails.read(large('a'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('closing fails what is under way, and what comes after', async () => {
  const mails = reader({ script: FAULTY, timeLimitMs: 600_000 });
  const [hanging] = await Promise.allSettled([mails.read(large('hang')), mails.close()]);
  expect(hanging).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  await expect(mails.read(large('a'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test("a mail's bytes are not taken away from the caller", async () => {
  const raw = large('mine');
  await reader().read(raw);
  expect(raw.toString('latin1')).toContain('Subject: mine');
});
