import { expect, it } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';
import { linkCommand } from './link-command.ts';

const production = { mongoUrl: 'mongodb://db/qinbox', redisUrl: 'redis://queue' };
const underNpm = { npm_lifecycle_event: 'start' };

it('names what there is: npm only under npm, an address only where there is no owner of the machine', () => {
  expect(linkCommand({ production: null }, underNpm)).toBe('npm run qinbox -- signin-link');
  expect(linkCommand({ production: null }, {})).toBe('qinbox signin-link');
  expect(linkCommand({ production }, underNpm)).toBe('npm run qinbox -- signin-link --email YOU@example.com');
  expect(linkCommand({ production }, {})).toBe('qinbox signin-link --email YOU@example.com');
});

it('is told to the web app before anybody has signed in', async () => {
  const { call } = await createTestApp();
  const { body } = await call('GET', '/config');
  expect(body['config']).toMatchObject({ signIn: { linkCommand: linkCommand({ production: null }) } });
});
