// What users name as a target: no spelling, name or redirect leads to an address of the inside.
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, isIP, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAddressCheck, isOutside } from '#core/domain/outside.ts';
import type { Outgoing, OutgoingAnswer } from '#core/ports/outgoing.ts';
import type { Resolve } from './guarded-agent.ts';
import { createOutgoing } from './outgoing.ts';

/** One of each range of IPv4, first, last and between. */
const INSIDE_IPV4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.0.0.53',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];
const INSIDE_IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::2',
  '::ffff',
  '100::1',
  '64:ff9b:1::1',
  '64:ff9b:1:ffff::8.8.8.8',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'febf::1',
  'fec0::1',
  'ff00::1',
  'ff02::1',
  'ff0e::1',
];
const OUTSIDE = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700:4700::1111',
  '3ffe::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const hex = (number: number, width = 0) => number.toString(16).padStart(width, '0');

/** How a URL may spell an IPv4 address. */
function spellingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const all = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  const octal = (number: number) => `0${number.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(all),
    `0x${hex(all)}`,
    `0${all.toString(8)}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    `${a}.${b * 65536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    [a, b, c, d].map((part) => String(part).replaceAll(/\d/g, '%3$&')).join('.'),
    address.replaceAll('.', '。').replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${address}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ];
}

/** Answers these addresses for a name, one list after the other, the last again and again. */
function resolving(names: Readonly<Record<string, readonly (readonly string[])[]>>): Resolve {
  const asked = new Map<string, number>();
  return (hostname, _options, callback) => {
    const turn = asked.get(hostname) ?? 0;
    asked.set(hostname, turn + 1);
    const answers = names[hostname] ?? [];
    const addresses: LookupAddress[] = (answers[Math.min(turn, answers.length - 1)] ?? []).map((address) => ({
      address,
      family: isIP(address),
    }));
    process.nextTick(() => callback(null, addresses));
  };
}

async function listening(handler: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(handler).listen(0, '::');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const check = (...allowed: string[]) => {
  const mayReach = createAddressCheck(allowed);
  if (mayReach === null) throw new Error(`not read: ${allowed.join()}`);
  return mayReach;
};
const post = (outgoing: Outgoing, url: string, timeoutMs = 20_000): Promise<OutgoingAnswer> =>
  outgoing.post({ url, headers: {}, body: 'body', timeoutMs });

describe('an address', () => {
  it.each(OUTSIDE)('%s is outside', (address) => {
    expect(isOutside(address)).toBe(true);
  });
  it.each([...INSIDE_IPV4, ...INSIDE_IPV6, 'fe80::1%lo', '2606:4700:4700::1111%1', '', 'localhost', '1.1.1'])(
    '%s is not outside',
    (address) => {
      expect(isOutside(address)).toBe(false);
    },
  );
  it('of the inside is let through where the operator allows it, in each of its forms, and no other', () => {
    const mayReach = check('10.1.0.0/16', '::1', 'fd00::/8', '192.168.7.7');
    for (const allowed of [
      '10.1.0.1',
      '10.1.255.255',
      '::1',
      'fd12::1',
      '192.168.7.7',
      '::ffff:10.1.2.3',
      '8.8.8.8',
    ])
      expect(mayReach(allowed), allowed).toBe(true);
    for (const refused of [
      '10.2.0.1',
      '::2',
      'fc00::1',
      '192.168.7.8',
      '::ffff:10.2.0.1',
      'localhost',
      '127.0.0.1',
    ])
      expect(mayReach(refused), refused).toBe(false);
  });
  it.each([
    'localhost',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%1',
    '',
  ])('or network that is none is refused: %j', (entry) => {
    expect(createAddressCheck([entry])).toBeNull();
  });
});

describe('a request to an address of the inside', () => {
  let server: Server;
  let port: number;
  let hits = 0;
  let outgoing: Outgoing;
  beforeAll(async () => {
    ({ server, port } = await listening((_request, response) => {
      hits++;
      response.end('inside');
    }));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const withNames = (names: Parameters<typeof resolving>[0], ...allowed: string[]) => {
    outgoing = createOutgoing({ mayReach: check(...allowed), resolve: resolving(names) });
    onTestFinished(() => outgoing.close());
    return outgoing;
  };

  it('is not sent, however the address is spelt', async () => {
    const targets = [
      ...INSIDE_IPV4.flatMap(spellingsOf),
      ...INSIDE_IPV6.map((address) => `[${address}]`),
      '[fe80::1%25lo]',
      '[::1%25eth0]',
    ];
    expect(targets.length).toBeGreaterThan(300);
    const out = withNames({});
    hits = 0;
    for (const target of targets) {
      const plain = await post(out, `http://${target}:${port}/`);
      const tls = await post(out, `https://${target}:${port}/`);
      expect([plain.kind, tls.kind], target).toEqual(['refused', 'refused']);
    }
    expect(hits).toBe(0);
  });

  it('is not sent, whatever name resolves to it', async () => {
    const addresses = [...INSIDE_IPV4, ...INSIDE_IPV6, 'fe80::1%lo'];
    const names = Object.fromEntries(addresses.map((address, index) => [`n${index}.test`, [[address]]]));
    const out = withNames({
      ...names,
      localhost: [['127.0.0.1', '::1']],
      'a.test': [['10.0.0.1', '127.0.0.1']],
    });
    hits = 0;
    for (const name of [...Object.keys(names), 'localhost', 'a.test'])
      expect(await post(out, `http://${name}:${port}/`), name).toMatchObject({ kind: 'refused' });
    expect(hits).toBe(0);
  });

  it('goes only to the addresses of a name that are allowed', async () => {
    const out = withNames({ 'mixed.test': [['10.0.0.1', '127.0.0.1', '::1']] }, '127.0.0.1');
    expect(await post(out, `http://mixed.test:${port}/`)).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('is not sent when the name is outside at the first look and inside at the second', async () => {
    const out = withNames({ 'rebinds.test': [['127.0.0.2'], ['127.0.0.1']] }, '127.0.0.2');
    hits = 0;
    // A new connection each time, so that each looks the name up.
    const { server: first, port: own } = await listening((_request, response) => {
      response.setHeader('connection', 'close').end('outside');
    });
    onTestFinished(() => void first.close());
    expect(await post(out, `http://rebinds.test:${own}/`)).toMatchObject({
      kind: 'answered',
      body: 'outside',
    });
    expect(await post(out, `http://rebinds.test:${own}/`)).toMatchObject({ kind: 'refused' });
    expect(await post(out, `http://rebinds.test:${port}/`)).toMatchObject({ kind: 'refused' });
    expect(hits).toBe(0);
  });

  it('does not follow a redirect, which is an answer as any other', async () => {
    const { server: redirects, port: own } = await listening((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
    });
    onTestFinished(() => void redirects.close());
    const out = withNames({ 'redirects.test': [['127.0.0.2']] }, '127.0.0.2');
    hits = 0;
    expect(await post(out, `http://redirects.test:${own}/`)).toMatchObject({ kind: 'answered', status: 307 });
    expect(hits).toBe(0);
  });

  it.each([
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'javascript:1',
    '',
    'https://',
    'http://[::1',
    '//1.1.1.1',
  ])('or to what is no address of the web is refused: %j', async (url) => {
    expect(await post(withNames({}), url)).toMatchObject({ kind: 'refused' });
  });
});

describe('an answer', () => {
  const local = (resolve?: Resolve) => {
    const outgoing = createOutgoing({
      mayReach: check('127.0.0.0/8'),
      ...(resolve === undefined ? {} : { resolve }),
    });
    onTestFinished(() => outgoing.close());
    return outgoing;
  };

  it('is read to a bound, with its headers, over one connection', async () => {
    const ports = new Set<number>();
    const { server, port } = await listening((request, response) => {
      ports.add(request.socket.remotePort ?? 0);
      response.writeHead(429, { 'Retry-After': '7' }).end('slow down');
    });
    onTestFinished(() => void server.close());
    const outgoing = local();
    for (let turn = 0; turn < 5; turn++)
      expect(await post(outgoing, `http://127.0.0.1:${port}/`)).toMatchObject({
        kind: 'answered',
        status: 429,
        headers: { 'retry-after': '7' },
        body: 'slow down',
      });
    expect(ports.size).toBe(1);
    await outgoing.close();
  });

  it('without an end is an answer of its beginning', async () => {
    const { server, port } = await listening((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    onTestFinished(() => void server.close());
    const answer = await post(local(), `http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(4096) });
  });

  it('that changes the protocol, which nobody asked for, is an answer as any other', async () => {
    const protocol = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
    const { server, port } = await listening(({ socket }) => void socket.write(protocol));
    onTestFinished(() => void server.close());
    expect(await post(local(), `http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'answered',
      status: 101,
      body: '',
    });
  });

  it('that stops after its status is that status, once the time is up', async () => {
    const { server, port } = await listening(
      (_request, response) => void response.writeHead(202).write('begun'),
    );
    onTestFinished(() => void server.close());
    const answer = await post(local(), `http://127.0.0.1:${port}/`, 300);
    expect(answer).toMatchObject({ kind: 'answered', status: 202, body: 'begun' });
  });

  it('that does not come is a failure, as is a name that is none, and a port that nobody hears', async () => {
    const { server, port } = await listening(() => {});
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    expect(await post(local(), `http://127.0.0.1:${port}/`, 200)).toMatchObject({
      kind: 'failed',
      isSent: true,
    });
    // Which never answers to begin with TLS.
    expect(await post(local(), `https://127.0.0.1:${port}/`, 200)).toMatchObject({
      kind: 'failed',
      isSent: false,
    });
    const noName: Resolve = (_name, _options, callback) =>
      process.nextTick(callback, Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []);
    expect(await post(local(noName), `http://none.test:${port}/`)).toEqual({
      kind: 'failed',
      reason: 'There is no host of this name (ENOTFOUND).',
      isSent: false,
    });
    expect(await post(local(), 'http://127.0.0.1:1/')).toMatchObject({
      kind: 'failed',
      reason: 'Nothing listens at this address and port (ECONNREFUSED).',
      isSent: false,
    });
  });

  it.each([
    ['no TLS where TLS is asked for', 'https:', /^It does not speak TLS .* \(EPROTO\)\.$/],
    ['another protocol than HTTP', 'http:', /^What it answers is not HTTP \(HPE_\w+\)\.$/],
  ])('that is %s is a failure in words', async (_what, scheme, reason) => {
    const server = createTcpServer((socket) => void socket.on('error', () => {}).end('220 mail ESMTP\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await post(local(), `${scheme}//127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(reason) as string,
    });
  });

  it('is no longer waited for when the program ends', async () => {
    const { server, port } = await listening(() => {});
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const outgoing = local();
    const answer = post(outgoing, `http://127.0.0.1:${port}/`);
    await outgoing.close();
    expect(await answer).toMatchObject({ kind: 'failed' });
    await outgoing.close();
  });
});
