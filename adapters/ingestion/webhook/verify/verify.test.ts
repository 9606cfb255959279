// What each scheme takes and refuses: a table of schemes by attacks, and the vectors that their makers
// publish.
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery, Proof } from './scheme.ts';
import { schemeOf, schemes } from './schemes.ts';
import { signers } from '../../../../test/helpers/webhook-signers.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const MINUTE = 60_000;
const BODY = Buffer.from('{"id":"evt_1NG8Du2eZvKYlo2CUI79vXWy","status":"failed","note":"größer"}');
const OTHER = Buffer.from(BODY.toString().replace('failed', 'passed'));
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Row {
  name?: string;
  scheme: string;
  secret: string;
  wrong: string;
  options?: Record<string, unknown>;
  /** The header that proves; another value of it, or none, is refused. */
  header: string;
  /** Whether the body, the moment, the id are bound by the proof. */
  bindsBody: boolean;
  bindsTime: boolean;
  /** What a new id on an old body makes of it. */
  underNewId: 'replay' | 'refused' | 'new';
}

const signed = { bindsBody: true, bindsTime: false, underNewId: 'replay' } as const;
const dated = { bindsBody: true, bindsTime: true, underNewId: 'replay' } as const;
const shared = { bindsBody: false, bindsTime: false, underNewId: 'new' } as const;

const rows: readonly Row[] = [
  { scheme: 'hmac-sha256', secret: 's3cret', wrong: 'other', header: 'x-signature-256', ...signed },
  {
    name: 'hmac-sha256 with a time, base64 and a prefix',
    scheme: 'hmac-sha256',
    secret: 's3cret',
    wrong: 'other',
    options: {
      header: 'X-Sig',
      encoding: 'base64',
      prefix: 'v1=',
      timestampHeader: 'X-Time',
      signed: '{timestamp}:{body}',
    },
    header: 'x-sig',
    ...dated,
  },
  {
    name: 'hmac-sha256 as Zoom signs',
    scheme: 'hmac-sha256',
    secret: 's3cret',
    wrong: 'other',
    options: {
      header: 'x-zm-signature',
      prefix: 'v0=',
      timestampHeader: 'x-zm-request-timestamp',
      signed: 'v0:{timestamp}:{body}',
    },
    header: 'x-zm-signature',
    ...dated,
  },
  {
    name: 'hmac-sha256 in base64url with a time',
    scheme: 'hmac-sha256',
    secret: 's3cret',
    wrong: 'other',
    options: { encoding: 'base64url', timestampHeader: 'X-Time' },
    header: 'x-signature-256',
    ...dated,
  },
  { scheme: 'github', secret: 's3cret', wrong: 'other', header: 'x-hub-signature-256', ...signed },
  {
    name: 'gitlab with a secret token',
    scheme: 'gitlab',
    secret: 's3cret',
    wrong: 'other',
    header: 'x-gitlab-token',
    bindsBody: false,
    bindsTime: false,
    underNewId: 'replay',
  },
  {
    name: 'gitlab with a signing token',
    scheme: 'gitlab',
    secret: WHSEC,
    wrong: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    header: 'webhook-signature',
    bindsBody: true,
    bindsTime: true,
    underNewId: 'refused',
  },
  { scheme: 'stripe', secret: 'whsec_test', wrong: 'whsec_other', header: 'stripe-signature', ...dated },
  {
    scheme: 'sentry',
    secret: 's3cret',
    wrong: 'other',
    header: 'sentry-hook-signature',
    bindsBody: true,
    bindsTime: true,
    underNewId: 'replay',
  },
  {
    name: 'grafana without a time',
    scheme: 'grafana',
    secret: 's3cret',
    wrong: 'other',
    header: 'x-grafana-alerting-signature',
    bindsBody: true,
    bindsTime: false,
    underNewId: 'new',
  },
  {
    name: 'grafana with a time',
    scheme: 'grafana',
    secret: 's3cret',
    wrong: 'other',
    options: { timestampHeader: 'X-Grafana-Alerting-Timestamp' },
    header: 'x-grafana-alerting-signature',
    ...dated,
  },
  {
    scheme: 'standard-webhooks',
    secret: WHSEC,
    wrong: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    header: 'webhook-signature',
    bindsBody: true,
    bindsTime: true,
    underNewId: 'refused',
  },
  {
    scheme: 'basic',
    secret: 's3cret',
    wrong: 'other',
    options: { username: 'qinbox' },
    header: 'authorization',
    ...shared,
  },
  { scheme: 'bearer', secret: 's3cret', wrong: 'other', header: 'authorization', ...shared },
  {
    name: 'bearer in a header of its own',
    scheme: 'bearer',
    secret: 's3cret',
    wrong: 'other',
    options: { header: 'X-Api-Key' },
    header: 'x-api-key',
    ...shared,
  },
];

/** Judges a delivery that was signed with `signedWith`, and then changed. */
function judge(
  row: Row,
  changes: Partial<Delivery> & { signedWith?: string; at?: number; id?: string } = {},
): Proof {
  const { signedWith = row.secret, at = NOW, id = 'msg_1', ...delivery } = changes;
  const options = row.options ?? {};
  const headers = signers[row.scheme]?.({ body: BODY, secret: signedWith, id, at, options }) ?? {};
  return verify(row.scheme, {
    body: BODY,
    headers,
    secrets: { secret: row.secret },
    options,
    now: NOW,
    ...delivery,
  });
}

function verify(scheme: string, delivery: Delivery): Proof {
  const found = schemeOf(scheme);
  if (found === null) throw new Error(`no scheme ${scheme}`);
  return found.verify(delivery);
}

function keyOf(proof: Proof): string | null {
  if (!proof.ok) throw new Error(`refused: ${proof.reason}`);
  return proof.replayKey;
}

function headersOf(
  row: Row,
  changes: Partial<{ secret: string; at: number; id: string }> = {},
): Record<string, string> {
  const options = row.options ?? {};
  return (
    signers[row.scheme]?.({ body: BODY, secret: row.secret, id: 'msg_1', at: NOW, options, ...changes }) ?? {}
  );
}

describe.each(rows.map((row) => ({ ...row, name: row.name ?? row.scheme })))('$name', (row) => {
  it('takes a valid delivery, and one that is proven by the previous secret', () => {
    expect(judge(row)).toMatchObject({ ok: true });
    expect(judge(row, { secrets: { secret: row.wrong, previousSecret: row.secret } })).toMatchObject({
      ok: true,
    });
  });

  it('refuses a wrong secret, no secret, and an empty one', () => {
    expect(judge(row, { signedWith: row.wrong })).toMatchObject({ ok: false });
    for (const secrets of [{}, { secret: '' }, { secret: row.wrong, previousSecret: '' }])
      expect(judge(row, { secrets })).toMatchObject({ ok: false });
    expect(judge(row, { signedWith: '', secrets: { secret: '' } })).toMatchObject({ ok: false });
  });

  it('refuses a missing, empty or tampered header', () => {
    const headers = headersOf(row);
    const given = headers[row.header] ?? '';
    expect(given).not.toBe('');
    const { [row.header]: _dropped, ...without } = headers;
    expect(verify(row.scheme, { ...base(row), headers: without })).toMatchObject({ ok: false });
    const end = given.length - 4;
    const turned = given.slice(0, end) + (given[end] === '1' ? '2' : '1') + given.slice(end + 1);
    for (const value of ['', 'x', given.slice(0, -3), `${given}0`, `${given}, ${given}`, turned])
      expect(
        verify(row.scheme, { ...base(row), headers: { ...headers, [row.header]: value } }),
      ).toMatchObject({
        // Where several signatures may stand in one header, one must be right.
        ok:
          value === `${given}, ${given}` &&
          (row.header === 'webhook-signature' || row.scheme === 'hmac-sha256'),
      });
  });

  it('refuses a tampered body, where the body is signed', () => {
    if (!row.bindsBody) {
      expect(judge(row, { body: OTHER })).toMatchObject({ ok: true });
      return;
    }
    expect(judge(row, { body: OTHER })).toMatchObject({ ok: false });
    expect(judge(row, { body: Buffer.concat([BODY, Buffer.from(' ')]) })).toMatchObject({ ok: false });
  });

  it('refuses what is stale or from the future, and takes 5 minutes either way, where a time is sent', () => {
    if (!row.bindsTime) {
      expect(judge(row, { at: NOW - 120 * MINUTE })).toMatchObject({ ok: true });
      return;
    }
    for (const minutes of [-5, 5])
      expect(judge(row, { at: NOW + minutes * MINUTE })).toMatchObject({ ok: true });
    for (const minutes of [-5.1, -120, 5.1, 120])
      expect(judge(row, { at: NOW + minutes * MINUTE })).toMatchObject({ ok: false });
    expect(judge(row, { at: NOW - 10 * MINUTE })).toMatchObject({
      reason: expect.stringContaining('10 minutes ago'),
    });
  });

  it('tells a replay, and what a new id on an old body is', () => {
    const first = judge(row);
    const again = judge(row);
    if (row.underNewId === 'new') {
      // Nothing tells a repeat but an id of the sender.
      expect(keyOf(first)).toBeNull();
      return;
    }
    expect(keyOf(again)).toBe(keyOf(first));
    const forged = Object.fromEntries(
      Object.entries(headersOf(row)).map(([name, value]) => [
        name,
        /-id$|key$|delivery$/.test(name) ? 'msg_2' : value,
      ]),
    );
    const renamed = verify(row.scheme, { ...base(row), headers: forged });
    if (row.underNewId === 'refused') expect(renamed).toMatchObject({ ok: false });
    else expect(keyOf(renamed)).toBe(keyOf(first));
    expect((keyOf(first) ?? '').length).toBeLessThanOrEqual(255);
  });
});

function base(row: Row): Omit<Delivery, 'headers'> {
  return { body: BODY, secrets: { secret: row.secret }, options: row.options ?? {}, now: NOW };
}

describe('replays', () => {
  it('are told by the id of a sender that is not signed', () => {
    for (const scheme of ['none', 'basic', 'bearer']) {
      const proof = (headers: Record<string, string>) =>
        verify(scheme, {
          body: BODY,
          headers: { ...signers[scheme]?.({ body: BODY, secret: 's', id: '', at: NOW }), ...headers },
          secrets: { secret: 's' },
          options: {},
          now: NOW,
        });
      expect(keyOf(proof({}))).toBeNull();
      expect(keyOf(proof({ 'idempotency-key': 'a' }))).toBe(keyOf(proof({ 'webhook-id': 'a' })));
      expect(keyOf(proof({ 'ce-id': '1', 'ce-source': '/a' }))).not.toBe(
        keyOf(proof({ 'ce-id': '1', 'ce-source': '/b' })),
      );
      expect(keyOf(proof({ 'idempotency-key': 'x'.repeat(5000) }))?.length).toBeLessThanOrEqual(255);
    }
  });

  it('are told by the event of Stripe, which signs each retry anew', () => {
    const row = rows.find(({ scheme }) => scheme === 'stripe') as Row;
    expect(keyOf(judge(row, { at: NOW - MINUTE }))).toBe(keyOf(judge(row)));
    expect(keyOf(judge(row))).toBe('id:evt_1NG8Du2eZvKYlo2CUI79vXWy');
  });

  it('are not seen where a body is signed again at another time', () => {
    for (const row of rows.filter(({ options }) => options?.['timestampHeader'] !== undefined))
      expect(keyOf(judge(row, { at: NOW - MINUTE }))).not.toBe(keyOf(judge(row)));
  });
});

describe('published vectors', () => {
  const judgeVector = (
    scheme: string,
    secret: string,
    body: string,
    headers: Record<string, string>,
    now = NOW,
    options: Record<string, unknown> = {},
  ) => verify(scheme, { body: Buffer.from(body), headers, secrets: { secret }, options, now }).ok;

  it('GitHub, from its documentation', () => {
    const secret = "It's a Secret to Everybody";
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const judged = (body: string, value: string) =>
      judgeVector('github', secret, body, { 'x-hub-signature-256': value });
    expect(judged('Hello, World!', signature)).toBe(true);
    expect(judged('Hello, World', signature)).toBe(false);
    expect(judged('Hello, World!', signature.replace('sha256=', 'sha1='))).toBe(false);
    expect(judged('Hello, World!', signature.slice('sha256='.length))).toBe(false);
  });

  it.each([
    [
      'webhook',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330,
      '{"test": 2432232314}',
      'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
    [
      'svix',
      'whsec_plJ3nmyCDGBKInavdOK15jsl',
      'msg_loFOjxBNrRLzqYUf',
      1_731_705_121,
      '{"event_type":"ping","data":{"success":true}}',
      'rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    ],
  ])('Standard Webhooks (%s)', (family, secret, id, time, body, signature) => {
    const headers = {
      [`${family}-id`]: id,
      [`${family}-timestamp`]: String(time),
      [`${family}-signature`]: `v1,${signature}`,
    };
    const judged = (changes: Record<string, string> = {}, now = time * 1000, text = body, key = secret) =>
      judgeVector('standard-webhooks', key, text, { ...headers, ...changes }, now);
    expect(judged()).toBe(true);
    expect(judged({}, time * 1000, body, secret.replace('whsec_', ''))).toBe(true);
    expect(judged({ [`${family}-signature`]: `v1,${'A'.repeat(43)}= v1a,AAAA v1,${signature}` })).toBe(true);
    expect(judged({ [`${family}-id`]: `${id}x` })).toBe(false);
    expect(judged({ [`${family}-timestamp`]: String(time + 1) })).toBe(false);
    expect(judged({ [`${family}-signature`]: `v2,${signature}` })).toBe(false);
    expect(judged({ [`${family}-signature`]: signature })).toBe(false);
    expect(judged({}, (time + 301) * 1000)).toBe(false);
    expect(judged({}, (time - 301) * 1000)).toBe(false);
    expect(judged({}, time * 1000, `${body} `)).toBe(false);
  });

  // Stripe publishes bare HMACs, so the vectors are those of the signature itself.
  it.each([
    ['', 'f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd'],
    ['{"obj1":"hello","obj2":"world"}', 'bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363'],
    ['😀', '837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43'],
  ])('Stripe (%s)', (body, signature) => {
    const judged = (text: string, secret: string) =>
      judgeVector('hmac-sha256', secret, text, { 'x-signature-256': signature });
    expect(judged(body, 'test_secret')).toBe(true);
    expect(judged(`${body}.`, 'test_secret')).toBe(false);
    expect(judged(body, 'test_secret2')).toBe(false);
  });

  it('Slack, whose form is one that hmac-sha256 can be told', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
    const options = { header: 'x-slack-signature', prefix: 'v0=' };
    const judged = (text: string) =>
      judgeVector(
        'hmac-sha256',
        '8f742231b10e8888abcd99yyyzzz85a5',
        `v0:1531420618:${text}`,
        { 'x-slack-signature': signature },
        NOW,
        options,
      );
    expect(judged(body)).toBe(true);
    expect(judged(body.replace('foobar', 'foobaz'))).toBe(false);
  });
});

describe('standard-webhooks with a public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const secret = `whpk_${raw.toString('base64')}`;
  const time = String(NOW / 1000);
  const signature = sign(null, Buffer.concat([Buffer.from(`msg_1.${time}.`), BODY]), privateKey).toString(
    'base64',
  );
  const judged = (value: string, changes: Partial<Delivery> = {}) =>
    verify('standard-webhooks', {
      body: BODY,
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': value },
      secrets: { secret },
      options: {},
      now: NOW,
      ...changes,
    }).ok;

  it('takes a v1a signature, alone or among others, and nothing else', () => {
    expect(judged(`v1a,${signature}`)).toBe(true);
    expect(judged(`v1,${'A'.repeat(43)}= v1a,${signature}`)).toBe(true);
    expect(judged(`v1,${signature}`)).toBe(false);
    expect(judged(`v1a,${signature}`, { body: OTHER })).toBe(false);
    expect(judged(`v1a,${signature}`, { now: NOW + 6 * MINUTE })).toBe(false);
    // The public key is no HMAC key: nobody can sign with it.
    const forged = signers['standard-webhooks']?.({
      body: BODY,
      secret: raw.toString('base64'),
      id: 'msg_1',
      at: NOW,
    });
    expect(judged(forged?.['webhook-signature'] ?? '')).toBe(false);
  });
});

it('takes one of several signatures in a header that can be named, as PagerDuty sends while a secret is changed', () => {
  const options = { header: 'X-PagerDuty-Signature', prefix: 'v1=' };
  const signature = signers['hmac-sha256']?.({ body: BODY, secret: 'new', id: '', at: NOW, options })?.[
    'x-pagerduty-signature'
  ];
  const judged = (value: string) =>
    verify('hmac-sha256', {
      body: BODY,
      headers: { 'x-pagerduty-signature': value },
      secrets: { secret: 'new' },
      options,
      now: NOW,
    }).ok;
  const other = `v1=${'0'.repeat(64)}`;
  expect([
    judged(`${other},${signature}`),
    judged(`${signature}, ${other}`),
    judged(`${other},${other}`),
  ]).toEqual([true, true, false]);
});

it('checks the shape of a Standard Webhooks secret when it is saved', () => {
  const check = (secret: string) =>
    schemeOf('standard-webhooks')?.check?.({ secrets: { secret }, options: {} }) ?? [];
  for (const secret of [WHSEC, 'raw text', `whpk_${Buffer.alloc(32, 1).toString('base64')}`])
    expect(check(secret)).toEqual([]);
  for (const secret of ['whsec_', 'whsec_***', 'whpk_AAAA'])
    expect(check(secret)).toMatchObject([{ field: 'secret' }]);
});

it('downgrades no GitLab signing token to one that is sent in clear', () => {
  const headers = { 'x-gitlab-token': WHSEC, 'webhook-id': 'a', 'webhook-timestamp': String(NOW / 1000) };
  expect(
    verify('gitlab', { body: BODY, headers, secrets: { secret: WHSEC }, options: {}, now: NOW }),
  ).toMatchObject({ ok: false });
  // GitLab 19 sends an id and a time with every delivery, signed or not.
  const plain = { ...headers, 'x-gitlab-token': 'plain' };
  expect(
    verify('gitlab', { body: BODY, headers: plain, secrets: { secret: 'plain' }, options: {}, now: NOW }),
  ).toMatchObject({ ok: true });
});

it('never throws, and never takes what nobody signed', () => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(headersOf(row))))];
  fc.assert(
    fc.property(
      fc.constantFrom(...schemes.filter(({ id }) => id !== 'none')),
      fc.dictionary(fc.constantFrom(...names), fc.string({ unit: 'grapheme' }), { maxKeys: 6 }),
      fc.uint8Array({ maxLength: 40 }),
      fc.dictionary(
        fc.constantFrom('header', 'timestampHeader', 'prefix', 'encoding', 'username', 'signed'),
        fc.jsonValue(),
      ),
      (scheme, headers, body, options) => {
        const delivery = {
          body: Buffer.from(body),
          headers,
          secrets: { secret: 'a secret that nobody guesses' },
          options,
          now: NOW,
        };
        expect(scheme.verify(delivery).ok).toBe(false);
      },
    ),
    { numRuns: 400 },
  );
});
