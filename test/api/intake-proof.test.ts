// How an intake's sender proves itself is said by its owner, never left open by leaving it out: schemes,
// secrets and their change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemes } from '#adapters/ingestion/webhook/verify/schemes.ts';
import { signers } from '#test/helpers/webhook-signers.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';

interface Shown {
  id: string;
  address: string;
  preset: string;
  verification: { scheme: string; secrets: string[] };
}

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture({ SMTP_PORT: '0' });
});
afterAll(() => app.close());

async function owner() {
  const { accessToken: token } = await app.session(`proof${++owners}@example.com`);
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  return {
    call,
    create: (fields: object) => call('POST', '/intakes', { name: 'x', adapter: 'webhook', ...fields }),
    async make(fields: object): Promise<Shown> {
      const made = await call('POST', '/intakes', { name: 'x', adapter: 'webhook', ...fields });
      expect(made.status, made.text).toBe(201);
      return made.body['intake'] as Shown;
    },
  };
}

const SIGNED = schemes.filter(({ id }) => id !== 'none').map(({ id }) => id);

describe('an intake for webhooks', () => {
  it.each([
    ['nothing is said', {}, 'verification'],
    ['a preset is named whose sender proves nothing', { preset: 'slack' }, 'verification'],
    ['an empty proof is given', { verification: {} }, 'verification/scheme'],
    ['a secret is given for no scheme', { verification: { secret: 'long enough' } }, 'verification/scheme'],
    ['a preset is named whose sender signs, without the secret', { preset: 'github' }, 'verification/secret'],
  ])('is not made when %s, and what to say is answered', async (_when, fields, field) => {
    const me = await owner();
    const refused = await me.create(fields);
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(refused.body['details']).toEqual([expect.objectContaining({ field })]);
    if (field !== 'verification/secret') expect(refused.text).toContain('{\\"scheme\\": \\"none\\"}');
    expect((await me.call('GET', '/intakes')).body['intakes']).toEqual([]);
  });

  it('is unsigned when that is said, also where its sender could sign', async () => {
    const me = await owner();
    for (const preset of ['generic', 'github'])
      expect(await me.make({ preset, verification: { scheme: 'none' } })).toMatchObject({
        preset,
        verification: { scheme: 'none', secrets: [] },
      });
  });

  it('has the scheme of its preset when the secret for it is given', async () => {
    const me = await owner();
    const made = await me.make({ preset: 'github', verification: { secret: 'long enough' } });
    expect(made.verification).toMatchObject({ scheme: 'github', secrets: ['secret'] });
    const edited = await me.call('PATCH', `/intakes/${made.id}`, { preset: 'generic', verification: {} });
    expect((edited.body['intake'] as Shown).verification).toMatchObject({
      scheme: 'github',
      secrets: ['secret'],
    });
  });

  it.each(SIGNED)('takes no secret for %s that is blank or short', async (scheme) => {
    const me = await owner();
    for (const secret of [' ', ' '.repeat(20), '1234567', ' 1234567 ', '\t\n']) {
      const refused = await me.create({ verification: { scheme, secret } });
      expect([refused.status, refused.body['details']]).toEqual([
        400,
        [
          {
            field: 'verification/secret',
            message: expect.stringMatching(/empty|required|at least 8 characters/),
          },
        ],
      ]);
    }
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const refused = await me.create({ verification: { scheme, secret, previousSecret: ' 123 ' } });
    expect([refused.status, refused.body['details']]).toEqual([
      400,
      [{ field: 'verification/previousSecret', message: expect.stringContaining('at least 8 characters') }],
    ]);
  });

  it.each(['standard-webhooks', 'gitlab'])('takes no key of a few bytes for %s', async (scheme) => {
    const me = await owner();
    const refused = await me.create({ verification: { scheme, secret: 'whsec_AAAAAAAA' } });
    expect([refused.status, refused.body['details']]).toEqual([
      400,
      [{ field: 'verification/secret', message: expect.stringContaining('whsec_') }],
    ]);
  });

  it.each(SIGNED)('with %s keeps a secret without the space around it', async (scheme) => {
    const me = await owner();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { address } = await me.make({ verification: { scheme, secret: ` ${secret}\n` } });
    const body = Buffer.from('{"title":"signed"}');
    const proof = signers[scheme]?.({ body, secret, id: 'one', at: app.clock.now() }) ?? {};
    const path = `/hooks/${new URL(address).pathname.split('/').at(-1) ?? ''}`;
    expect(
      (await app.call('POST', path, { body, headers: { 'content-type': 'application/json', ...proof } }))
        .status,
    ).toBe(202);
  });
});

it('an intake for mail needs no proof to be said: there is none to choose', async () => {
  const me = await owner();
  expect((await me.create({ adapter: 'smtp' })).status).toBe(201);
});
