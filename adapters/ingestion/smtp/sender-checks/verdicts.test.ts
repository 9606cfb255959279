import { generateKeyPairSync } from 'node:crypto';
import { dkimSign, type DNSResolver } from 'mailauth';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkMessage } from './check-sender.ts';
import { createVerdicts } from './checker.ts';
import { judge, shownVerdicts, UNKNOWN, type SenderRules, type Verdicts } from './verdicts.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const RECORDS: Record<string, string> = {
  'example.org': 'v=spf1 ip4:192.0.2.1 -all',
  '_dmarc.example.org': 'v=DMARC1; p=reject',
  'mail._domainkey.example.org': `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
  'example.net': 'v=spf1 ip4:192.0.2.9 -all',
};
const resolver: DNSResolver = async (domain, type) => {
  const record = type === 'TXT' ? RECORDS[domain] : undefined;
  if (record === undefined) throw Object.assign(new Error(`no ${type} of ${domain}`), { code: 'ENOTFOUND' });
  return [[record]];
};
const brokenResolver: DNSResolver = () =>
  Promise.reject(Object.assign(new Error('timed out'), { code: 'ETIMEOUT' }));

const MESSAGE =
  'From: Monitor <monitor@example.org>\r\nSubject: Disk full\r\nDate: Sat, 21 Nov 2026 09:00:00 +0000\r\n\r\nNo room.\r\n';
async function signed(message: string): Promise<string> {
  const signature = { signingDomain: 'example.org', selector: 'mail', privateKey };
  const { signatures } = await dkimSign(message, { ...signature, signatureData: [signature] });
  return `${signatures}${message}`;
}
const evidence = (message: string, ip: string | null, sender = 'monitor@example.org') => ({
  raw: Buffer.from(message),
  ip,
  helo: 'box.example.org',
  sender,
});

describe('a message is checked', () => {
  test('from a server of its domain, and with its signature', async () => {
    expect(await checkMessage(evidence(await signed(MESSAGE), '192.0.2.1'), resolver)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      arc: 'none',
      from: ['monitor@example.org'],
      dkimAligned: true,
    });
  });

  test.each([
    ['forwarded, its signature whole', async () => signed(MESSAGE), '192.0.2.9', ['fail', 'pass', 'pass']],
    [
      'changed on the way',
      async () => (await signed(MESSAGE)).replace('No room', 'All is well'),
      '192.0.2.9',
      ['fail', 'neutral', 'fail'],
    ],
    ['forged', async () => MESSAGE, '192.0.2.9', ['fail', 'none', 'fail']],
  ])('%s', async (_what, message, ip, [spf, dkim, dmarc]) => {
    const found = await checkMessage(evidence(await message(), ip), resolver);
    expect(found).toMatchObject({ spf, dkim, dmarc });
  });

  test("with somebody else's envelope, which proves nothing of the From header", async () => {
    const found = await checkMessage(evidence(MESSAGE, '192.0.2.9', 'a@example.net'), resolver);
    expect(found).toMatchObject({ spf: 'pass', dkim: 'none', dmarc: 'fail' });
  });

  test('with two From headers, of which none counts', async () => {
    const found = await checkMessage(evidence(`From: boss@example.org\r\n${MESSAGE}`, '192.0.2.1'), resolver);
    expect(found).toMatchObject({ dmarc: 'none', from: [] });
  });

  test('from our own network: by its signature alone', async () => {
    const found = await checkMessage(evidence(await signed(MESSAGE), null), resolver);
    expect(found).toMatchObject({ spf: 'none', dkim: 'pass', dmarc: 'pass' });
  });

  test('while DNS is away: nothing is known, and nothing is held against it', async () => {
    const found = await checkMessage(evidence(await signed(MESSAGE), '192.0.2.1'), brokenResolver);
    expect(shownVerdicts(found)).toMatchObject({ spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' });
  });
});

describe('the thread that checks', () => {
  test('answers for a name server that does not, and nothing more once it is closed', async () => {
    const verdicts = createVerdicts({ dnsServers: ['127.0.0.1:9'] });
    onTestFinished(() => verdicts.close());
    expect(await verdicts.check(evidence(MESSAGE, '192.0.2.1'))).toMatchObject({ spf: 'temperror' });
    await verdicts.close();
    expect(await verdicts.check(evidence(MESSAGE, '192.0.2.1'))).toEqual(UNKNOWN);
  });

  test('does not wait longer than its limit', async () => {
    const verdicts = createVerdicts({ dnsServers: ['192.0.2.1'], timeLimitMs: 1 });
    onTestFinished(() => verdicts.close());
    expect(await verdicts.check(evidence(MESSAGE, '192.0.2.1'))).toEqual(UNKNOWN);
  });
});

describe('what an intake asks for', () => {
  const none: Verdicts = {
    spf: 'none',
    dkim: 'none',
    dmarc: 'none',
    arc: 'none',
    from: ['a@example.org'],
    dkimAligned: false,
  };
  const rules = (requirePass: SenderRules['requirePass'], ...allowedSenders: string[]): SenderRules => ({
    requirePass,
    allowedSenders,
  });

  test.each<[string, SenderRules, Partial<Verdicts>, string, string]>([
    ['nothing', rules('none'), { spf: 'fail', dmarc: 'fail' }, 'a@example.org', 'proven'],
    ['DMARC, which passes', rules('dmarc'), { dmarc: 'pass' }, 'a@example.org', 'proven'],
    [
      'DMARC, which the domain has not',
      rules('dmarc'),
      { spf: 'pass', dkim: 'pass' },
      'a@example.org',
      'unproven',
    ],
    ['DMARC, not known', rules('dmarc'), { dmarc: 'temperror' }, 'a@example.org', 'unsure'],
    [
      'DMARC, which failed for want of a key',
      rules('dmarc'),
      { dmarc: 'fail', dkim: 'temperror' },
      'a@example.org',
      'unsure',
    ],
    ['DMARC of a listed From', rules('dmarc', '@example.org'), { dmarc: 'pass' }, 'a@example.org', 'proven'],
    [
      'DMARC, of a From that is not listed',
      rules('dmarc', 'b@example.org'),
      { dmarc: 'pass' },
      'b@example.org',
      'unproven',
    ],
    ['DMARC, of no From at all', rules('dmarc'), { dmarc: 'pass', from: [] }, 'a@example.org', 'unproven'],
    ['either, and SPF passes', rules('spf-or-dkim'), { spf: 'pass' }, 'a@example.org', 'proven'],
    ['either, and DKIM passes', rules('spf-or-dkim'), { dkim: 'pass' }, 'a@example.org', 'proven'],
    ['either, and none passes', rules('spf-or-dkim'), { spf: 'softfail' }, 'a@example.org', 'unproven'],
    ['either, not known', rules('spf-or-dkim'), { dkim: 'temperror' }, 'a@example.org', 'unsure'],
    [
      'a listed sender, and a signature of somebody else',
      rules('spf-or-dkim', '@example.org'),
      { dkim: 'pass' },
      'a@example.org',
      'unproven',
    ],
    [
      'a listed sender, with its own signature',
      rules('spf-or-dkim', '@example.org'),
      { dkim: 'pass', dkimAligned: true },
      'a@example.org',
      'proven',
    ],
    [
      'a listed sender, and SPF of another',
      rules('spf-or-dkim', '@example.org'),
      { spf: 'pass' },
      'a@example.net',
      'unproven',
    ],
  ])('%s', (_what, asked, found, sender, judgement) => {
    expect(judge(asked, { ...none, ...found }, sender)).toBe(judgement);
  });
});
