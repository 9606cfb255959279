// A payload that no preset knows becomes a sentence; none of its secrets is stored, and its excerpt
// fits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#test/helpers/characters.ts';
import { decode, type Body } from './decode/body.ts';
import { isSecretName, MASK, maskText } from './redaction/mask.ts';
import { payloadExcerpt } from './redaction/payload-excerpt.ts';
import { summarise } from './summary/summary.ts';

function bodyOf(value: unknown, type = 'application/json', headers: Record<string, string> = {}): Body {
  const decoded = decode(
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    type,
    headers,
  );
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.body;
}
const taskOf = (value: unknown, type?: string) => summarise(bodyOf(value, type)).tasks[0];
const contentOf = (value: unknown, type?: string) => taskOf(value, type)?.content;

describe('a summary', () => {
  it('of a body that nobody sees is that of none', () => {
    expect(contentOf('\u200B\u3164\n', 'text/plain')).toBe('Called without a body');
  });

  it.each([
    [
      { event: 'deploy finished', service: 'api', environment: 'production', status: 'success' },
      'Deploy finished: api, production, success',
    ],
    [{ eventType: 'deployFinished', serviceName: 'api' }, 'Deploy finished: service name api'],
    [{ event_type: 'deploy_finished', app: 'api', env: 'prod' }, 'Deploy finished: api, prod'],
    [
      {
        type: 'order.created',
        data: {
          object: { id: 'or_1', amount: 1250, currency: 'eur', customer: { name: 'Ada' }, status: 'paid' },
        },
      },
      'Order created: paid, amount 1250, eur, Ada',
    ],
    [
      {
        alert_name: 'HighCPU',
        host: 'db-1',
        value: 97.2,
        details: 'Over 90% for 5 minutes.\nCheck the replication job.',
      },
      'HighCPU: db-1, value 97.2\n\nOver 90% for 5 minutes.\nCheck the replication job.',
    ],
    [
      {
        message: 'Backup failed: disk full\nOn volume 2',
        hostname: 'nas',
        exitCode: 28,
        dry_run: false,
        at: '2026-11-21T09:00:00Z',
      },
      'Backup failed: disk full (nas, exit code 28, dry run no)\n\nOn volume 2',
    ],
    [
      {
        action: 'opened',
        issue: { title: 'It crashes', number: 3 },
        repository: { name: 'q', full_name: 'o/q' },
        sender: { login: 'ada' },
      },
      'It crashes: opened, q, ada, number 3',
    ],
    [
      { app: 'billing', env: 'prod', level: 'warn', msg: 'slow query', durationMs: 5300 },
      'slow query: billing, prod, warn, duration ms 5300',
    ],
    [[{ title: 'First' }, { title: 'Second' }], '2 items: First'],
    [[1, 2, 3], '3 items: 1, 2, 3'],
    [{ foo: { bar: 1, list: [1, 2] }, x: true }, 'Received: x yes, bar 1'],
    [{ message: '{"error":"no"}', service: 'api' }, 'Received: api'],
    [{}, 'Received a delivery without readable fields'],
    ['null', 'Received: null'],
    ['', 'Called without a body'],
  ])('of %j', (value, content) => {
    expect(contentOf(value)).toBe(content);
  });

  it.each([
    ['text', 'text/plain', 'Disk full\non nas', 'Disk full\non nas'],
    [
      'a page',
      'text/html',
      '<h1>Disk &amp; co</h1><script>alert(1)</script><p>full</p>',
      'Disk & co\n\nfull',
    ],
    ['a form', 'application/x-www-form-urlencoded', 'title=Disk+full&host=nas', 'Disk full: nas'],
    ['XML', 'text/xml', '<alert><title>Disk full</title><host>nas</host></alert>', 'Disk full: nas'],
    ['lines of JSON', 'application/x-ndjson', '{"msg":"one"}\n{"msg":"two"}', '2 lines: one'],
    ['JSON cut off', 'text/plain', '{"a": {"b', 'Received 9 bytes of text that begins like JSON and is none'],
  ])('of %s', (_name, type, body, content) => {
    expect(contentOf(body, type)).toBe(content);
  });

  it('of bytes', () => {
    const decoded = decode(Buffer.alloc(12_400), 'image/png', {});
    expect(decoded.ok && summarise(decoded.body).tasks[0]?.content).toBe('Received 12 kB of image/png');
  });

  it.each([
    [{ severity: 'CRITICAL' }, 'high'],
    [{ labels: { severity: 'warning' }, status: 'failed' }, 'normal'],
    [{ status: 'build_failed' }, 'high'],
    [{ conclusion: 'success' }, 'low'],
    [{ level: 'info' }, 'low'],
    [{ priority: 'P1' }, 'high'],
    [{ status: 'open' }, undefined],
    [{ text: 'critical' }, undefined],
  ])('takes the priority of %j as %s', (value, priority) => {
    expect(taskOf(value)?.priority).toBe(priority);
  });

  it.each([
    [{ url: 'https://api.example.com/1', html_url: 'https://example.com/1' }, 'https://example.com/1'],
    [
      { user: { url: 'https://example.com/ada' }, alert: { dashboardUrl: 'https://example.com/d' } },
      'https://example.com/d',
    ],
    [{ avatar_url: 'https://example.com/a.png' }, undefined],
    [{ url: 'javascript:alert(1)', link: 'https://user:pass@example.com/' }, undefined],
  ])('takes the link of %j', (value, url) => {
    expect(taskOf(value)?.url).toBe(url);
  });

  it('takes tags, a dedupe key and the type of event where they are said', () => {
    const body = bodyOf({ title: 'x', tags: ['db', 'prod', 7], dedup_key: 'disk-nas', event: 'disk.full' });
    expect(summarise(body)).toMatchObject({
      event: 'disk.full',
      tasks: [{ tags: ['db', 'prod'], dedupeKey: 'disk-nas' }],
    });
    expect(summarise(bodyOf({}, 'application/json', { 'ce-type': 'com.example.made' })).event).toBe(
      'com.example.made',
    );
  });

  it('shows no secret and no JSON, has words, and is bounded, whatever comes', () => {
    // Words of the sender may hold JSON (`Failed: {"code":1}`); what begins as JSON is no words, and among
    // the examples.
    const isWords = (text: string) => !/\S\s*[[{]"|"[\]}]\s*$|":/.test(text);
    const title = anyText().filter(isWords);
    const hasWords = (value: unknown): boolean =>
      typeof value === 'string'
        ? isWords(value)
        : typeof value !== 'object' ||
          value === null ||
          Object.entries(value).every(([name, inner]) => !name.includes('"') && hasWords(inner));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }).filter(hasWords), title, (value, text) => {
        const secret = 'hunter2-hunter2';
        const payload = {
          nested: value,
          title: text,
          password: secret,
          auth: { token: secret },
          env: [{ name: 'API_KEY', value: 1 }],
        };
        const task = taskOf(payload);
        expect(task?.content).not.toContain(secret);
        expect(task?.content).not.toMatch(/[[{]"|"[\]}]\s*$|":/);
        expect(task?.content.trim()).not.toBe('');
        expect((task?.content ?? '').length).toBeLessThan(4000);
        expect((task?.content ?? '').isWellFormed()).toBe(true);
      }),
      {
        numRuns: 150,
        examples: [
          [{}, '{"a":"b'],
          [{}, ' '],
          [{}, '<'],
        ],
      },
    );
  });
});

describe('masking', () => {
  it.each(
    'password userPassword DB_PASSWORD passwd token accessToken refresh_token x-auth-token authorization Authorization api_key apiKey X-Api-Key client_secret clientSecret secret cookie Set-Cookie sessionId card_number cvv private_key aws_secret_access_key connectionString otp credentials jwt signingKey'.split(
      ' ',
    ),
  )('hides %s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(payloadExcerpt({ a: [{ [name]: 'x', deeper: { [name]: { y: 1 } } }] }, 4096)).toEqual({
      a: [{ [name]: MASK, deeper: { [name]: MASK } }],
    });
  });

  it.each(
    'key issueKey author tokens max_tokens token_count token_type password_changed_at author_name authored keyboard tokenizer secret_type state pinned'.split(
      ' ',
    ),
  )('leaves %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it('hides what looks like a secret in any text', () => {
    // Put together here, so that no scanner takes the examples for leaks.
    const secrets = [
      ['ghp_', 'a1B2'.repeat(9)],
      ['glpat-', 'a1B2'.repeat(5)],
      ['xoxb-', '1234567890-'.repeat(2), 'abc'],
      ['AKIA', 'ABCD1234EFGH5678'],
      ['sk_live_', 'a1B2'.repeat(6)],
      ['eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0', '.abc-_d'],
      ['4111 1111 1111 1111'],
      ['5500-0000-0000-0004'],
    ];
    for (const parts of secrets) {
      const secret = parts.join('');
      expect(maskText(`before ${secret} after`)).toBe(`before ${MASK} after`);
      expect(JSON.stringify(payloadExcerpt({ note: [secret], [secret]: 1 }, 4096))).not.toContain(secret);
    }
    expect(maskText('Authorization: Bearer abcdef123456')).not.toContain('abcdef123456');
    expect(maskText('postgres://me:hunter2@db/x?api_key=a1b2c3&x=1')).toBe(
      `postgres://${MASK}@db/x?api_key=${MASK}&x=1`,
    );
    expect(maskText('-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\nx')).toBe(`${MASK}\nx`);
    expect(payloadExcerpt({ number: 4_111_111_111_111_111, time: 1_764_000_000_000 }, 999)).toEqual({
      number: MASK,
      time: 1_764_000_000_000,
    });
    expect(
      payloadExcerpt(
        [
          { name: 'DB_PASSWORD', value: 'x' },
          { name: 'HOME', value: 'x' },
        ],
        999,
      ),
    ).toEqual([
      { name: 'DB_PASSWORD', value: MASK },
      { name: 'HOME', value: 'x' },
    ]);
    expect(payloadExcerpt({ password: null, token: '', secret: false }, 99)).toEqual({
      password: null,
      token: '',
      secret: false,
    });
  });

  it('leaves ordinary text as it is', () => {
    const plain =
      'Token: expired. Card 4111 was declined at 12:30, order 4111111111111112, see https://example.com/a?page=2';
    expect(maskText(plain)).toBe(plain);
  });
});

describe('the excerpt of a payload', () => {
  it('is all of a small payload', () => {
    const small = { a: [1, 'x', null, true, { b: [] }], 'ü\u{1F600}': {} };
    expect(payloadExcerpt(small, 1000)).toEqual(small);
  });

  it('says what was left out of a large one', () => {
    const excerpt = payloadExcerpt(
      { list: Array.from({ length: 500 }, (_, at) => ({ at })), text: 'x'.repeat(100_000), title: 'kept' },
      2000,
    ) as Record<string, unknown>;
    expect(excerpt['title']).toBe('kept');
    expect(excerpt['text']).toMatch(/… \(\d+ more characters\)$/);
    expect((excerpt['list'] as unknown[]).at(-1)).toMatch(/^… \(\d+ more items\)$/);
    const wide = payloadExcerpt(
      Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at])),
      900,
    ) as Record<string, unknown>;
    expect(wide['…']).toMatch(/^29\d\d\d more fields$/);
    const deep = JSON.parse('{"a":'.repeat(60) + '1' + '}'.repeat(60)) as unknown;
    expect(JSON.stringify(payloadExcerpt(deep, 15_000))).toContain('… (1 fields)');
  });

  it('fits, is well-formed, and is the same when it is made again with more room', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }),
        fc.integer({ min: 40, max: 3000 }),
        (value, bytes) => {
          const excerpt = payloadExcerpt({ value, more: [value, value] }, bytes);
          const text = JSON.stringify(excerpt);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
          expect(text.includes('\\u0000":')).toBe(false);
          expect(text.isWellFormed()).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
