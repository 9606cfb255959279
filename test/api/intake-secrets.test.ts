// Changing an intake's secret: the one before stays good for a time that has an end, or not at all when it
// has become known.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signers } from '#test/helpers/webhook-signers.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';

interface Shown {
  id: string;
  address: string;
  previousSecretUntil: string | null;
  verification: { scheme: string; secrets: string[] };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const [FIRST, SECOND, THIRD] = ['the first secret', 'the second secret', 'the third secret'] as const;

let app: Fixture;
let owners = 0;
let deliveries = 0;
beforeAll(async () => {
  app = await buildFixture();
});
afterAll(() => app.close());

async function withIntake(scheme = 'github', fields: object = {}) {
  const email = `secrets${++owners}@example.com`;
  const call = async (method: 'POST' | 'PATCH' | 'GET', path: string, body?: unknown) =>
    app.call(method, path, {
      token: (await app.session(email)).accessToken,
      ...(body === undefined ? {} : { body }),
    });
  const made = await call('POST', '/intakes', {
    name: 'x',
    adapter: 'webhook',
    verification: { scheme, secret: FIRST },
    ...fields,
  });
  const intake = made.body['intake'] as Shown;
  const path = `/hooks/${new URL(intake.address).pathname.split('/').at(-1) ?? ''}`;
  const edit = (body: object) => call('PATCH', `/intakes/${intake.id}`, body);
  return {
    id: intake.id,
    ownerId: (await app.user(email)).id,
    made: intake,
    edit,
    call,
    async change(secret: string, more: object = {}): Promise<Shown> {
      const changed = await edit({ verification: { scheme, secret }, ...more });
      expect(changed.status, changed.text).toBe(200);
      return changed.body['intake'] as Shown;
    },
    /** The statuses of deliveries proven with each of these. */
    async takes(...secrets: string[]): Promise<number[]> {
      const statuses: number[] = [];
      for (const secret of secrets) {
        const body = Buffer.from(JSON.stringify({ title: `delivery ${++deliveries}` }));
        const proof = signers[scheme]?.({ body, secret, id: `${deliveries}`, at: app.clock.now() }) ?? {};
        const headers = { 'content-type': 'application/json', ...proof };
        statuses.push((await app.call('POST', path, { body, headers })).status);
      }
      return statuses;
    },
  };
}

const inMs = (ms: number) => new Date(app.clock.now() + ms).toISOString();

describe.each(['github', 'hmac-sha256', 'gitlab', 'stripe', 'sentry', 'grafana', 'basic', 'bearer'])(
  'a secret for %s that is changed',
  (scheme) => {
    it('leaves the one before good for a day, to the millisecond', async () => {
      const { change, takes } = await withIntake(scheme);
      expect(await change(SECOND)).toMatchObject({
        verification: { secrets: ['secret', 'previousSecret'] },
        previousSecretUntil: inMs(DAY),
      });
      expect(await takes(FIRST, SECOND)).toEqual([202, 202]);
      app.clock.advance(DAY - 1);
      expect(await takes(FIRST, SECOND)).toEqual([202, 202]);
      app.clock.advance(1);
      expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
    });

    it('ends the one before at once when that has become known', async () => {
      const { change, takes } = await withIntake(scheme);
      expect(await takes(FIRST)).toEqual([202]);
      expect(await change(SECOND, { secretGraceMinutes: 0 })).toMatchObject({
        verification: { secrets: ['secret'] },
        previousSecretUntil: null,
      });
      expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
    });
  },
);

it('is not taken back by another change at the same time, and takes none back', async () => {
  const { edit, takes, id, call } = await withIntake('github');
  const mapping = { content: '{{ title }}' };
  const answers = await Promise.all([
    edit({ settings: {}, preset: 'generic' }),
    edit({ verification: { scheme: 'github', secret: SECOND }, secretGraceMinutes: 0 }),
    edit({ mapping }),
    edit({ name: 'y' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await call('GET', `/intakes/${id}`)).body['intake']).toMatchObject({
    ...{ preset: 'generic', mapping, name: 'y' },
    verification: { secrets: ['secret'] },
  });
  expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
});

it('the caller chooses the grace, and an intake that is remembered keeps to it', async () => {
  const { change, takes, call, id } = await withIntake();
  expect((await change(SECOND, { secretGraceMinutes: 1 })).previousSecretUntil).toBe(inMs(MINUTE));
  app.clock.advance(MINUTE - 1000);
  expect(await takes(FIRST, SECOND)).toEqual([202, 202]);
  // What was found a second ago is used without asking the store again.
  app.clock.advance(1000);
  expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
  expect((await call('GET', `/intakes/${id}`)).body['intake']).toMatchObject({
    verification: { secrets: ['secret'] },
    previousSecretUntil: null,
  });
});

it.each([-1, 43_201, 1.5, '60', null])('a grace of %j is refused', async (secretGraceMinutes) => {
  const { edit, takes } = await withIntake();
  const refused = await edit({ verification: { scheme: 'github', secret: SECOND }, secretGraceMinutes });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'secretGraceMinutes' }] } });
  expect(await takes(FIRST, SECOND)).toEqual([202, 401]);
});

it('a secret that is changed twice leaves the one before it good, and none older', async () => {
  const { change, takes } = await withIntake();
  await change(SECOND);
  await change(THIRD);
  expect(await takes(FIRST, SECOND, THIRD)).toEqual([401, 202, 202]);
  app.clock.advance(DAY);
  expect(await takes(FIRST, SECOND, THIRD)).toEqual([401, 401, 202]);
});

it('the end of a grace is brought forward, never put off, by saying so later', async () => {
  const { change, edit, takes } = await withIntake();
  await change(SECOND, { secretGraceMinutes: 60 });
  const end = inMs(60 * MINUTE);
  const until = async (secretGraceMinutes: number) =>
    ((await edit({ secretGraceMinutes })).body['intake'] as Shown).previousSecretUntil;
  expect(await until(600)).toBe(end);
  expect(await until(5)).toBe(inMs(5 * MINUTE));
  expect(await takes(FIRST)).toEqual([202]);
  expect(await until(0)).toBeNull();
  expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
});

it('other changes leave the end where it is, and the same secret again begins nothing', async () => {
  const { change, edit, call, id, takes } = await withIntake();
  await change(SECOND);
  const end = inMs(DAY);
  app.clock.advance(DAY / 2);
  for (const changed of [
    await edit({ name: 'y' }),
    await edit({ mapping: null }),
    await edit({ verification: { scheme: 'github', secret: SECOND } }),
    await edit({ verification: { scheme: 'github' } }),
    await edit({ paused: false }),
    await call('POST', `/intakes/${id}/rotate`, { graceMinutes: 1440 }),
  ])
    expect((changed.body['intake'] as Shown).previousSecretUntil).toBe(end);
  app.clock.advance(DAY / 2);
  expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
});

it('a previous secret that is given has an end as well, and an empty one takes it away', async () => {
  const verification = { scheme: 'github', secret: SECOND, previousSecret: FIRST };
  const { made, edit, takes } = await withIntake('github', { verification });
  expect(made.previousSecretUntil).toBe(inMs(DAY));
  expect(await takes(FIRST, SECOND)).toEqual([202, 202]);
  await edit({ verification: { scheme: 'github', previousSecret: '' } });
  expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
});

it('another scheme begins without the secrets of the one before', async () => {
  const { edit, takes } = await withIntake();
  await edit({ verification: { scheme: 'hmac-sha256', secret: SECOND } });
  const changed = await edit({ verification: { scheme: 'github', secret: THIRD } });
  expect((changed.body['intake'] as Shown).previousSecretUntil).toBeNull();
  expect(await takes(FIRST, SECOND, THIRD)).toEqual([401, 401, 202]);
});

it('a previous secret without an end, as it was kept before there were ends, ends a day after the last change', async () => {
  const { id, ownerId, edit, takes } = await withIntake();
  const { intakeEncryption, storage } = app.parts;
  await storage.intakes.change(ownerId, id, (record) => {
    const { previousSecretUntil, ...old } = record;
    expect(previousSecretUntil).toBeNull();
    return {
      ...old,
      encryptedSecrets: intakeEncryption.encryptSecrets(id, { secret: SECOND, previousSecret: FIRST }),
    };
  });
  app.clock.advance(DAY - MINUTE);
  expect(await takes(FIRST, SECOND)).toEqual([202, 202]);
  await edit({ name: 'y' });
  app.clock.advance(MINUTE);
  expect(await takes(FIRST, SECOND)).toEqual([401, 202]);
});

it('a scheme that knows one secret alone promises nothing for the one before', async () => {
  const { edit } = await withIntake('none', { verification: { scheme: 'none' } });
  expect(await edit({ secretGraceMinutes: 60 })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'secretGraceMinutes' }] },
  });
  expect((await edit({ secretGraceMinutes: 0 })).status).toBe(200);
});
