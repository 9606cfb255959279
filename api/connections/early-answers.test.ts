// Answers that come before all of a request, on real sockets.
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { listen, open } from '#test/helpers/raw.ts';

const MIB = 1024 * 1024;

/** As a proxy does that has the whole request: sends all of it, and only then reads. */
async function sendThenRead(sends: { headers: string; body: Buffer }): Promise<string> {
  const test = await createTestApp();
  const [port, key] = [await listen(test.app), await test.key()];
  const head = ['POST /api/v1/tasks HTTP/1.1', 'host: localhost', `x-api-key: ${key}`, sends.headers, '', ''];
  const socket = await open(port, head.join('\r\n'));
  onTestFinished(() => void socket.destroy());
  let failed: Error | undefined;
  socket.on('error', (error) => (failed = error));
  socket.pause();
  await new Promise<void>((done) => void socket.write(sends.body, () => done()));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk)).resume();
  await once(socket, 'close');
  return failed?.message ?? Buffer.concat(chunks).toString();
}

describe('a body that is too large', () => {
  const body = Buffer.alloc(8 * MIB, 'x');
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
  const type = 'content-type: text/plain';

  it.each([
    ['with its length', { headers: `${type}\r\ncontent-length: ${body.length}`, body }],
    [
      'in chunks',
      {
        headers: `${type}\r\ntransfer-encoding: chunked`,
        body: Buffer.concat([chunk, Buffer.from('0\r\n\r\n')]),
      },
    ],
  ])('is 413 to a client that sends all of it before it reads: %s', async (_how, sends) => {
    const answer = await sendThenRead(sends);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"');
  });
});
