import { MongoServerSelectionError } from 'mongodb';
import { expect, it, vi } from 'vitest';
import { toFault } from '#adapters/mongodb/server/faults.ts';
import { storeFault } from '#adapters/sqlite/faults.ts';
import { ConfigError } from '#core/config-error.ts';
import { QinboxError, unavailable } from '#core/errors.ts';
import { outageText } from './outage.ts';

const rerun = 'Running this again completes it.';

it.each([
  [
    'a full disk under the file',
    storeFault(Object.assign(new Error('database or disk is full'), { errcode: 13 })),
    `/srv/q/qinbox.db cannot be read or written right now: the disk is full (SQLite error 13). ${rerun}`,
  ],
  [
    'a MongoDB that is gone',
    toFault(new MongoServerSelectionError('connect ECONNREFUSED 10.0.0.1:27017', {} as never)),
    `MongoDB cannot be read or written right now: the connection was refused (ECONNREFUSED). ${rerun}`,
  ],
  [
    'a MongoDB that hangs',
    unavailable('store', new Error('no answer within 8000 ms')),
    `MongoDB cannot be read or written right now: no answer within 8000 ms. ${rerun}`,
  ],
  [
    'a Redis that is gone',
    unavailable('queue', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    `Redis cannot be read or written right now: the connection was refused (ECONNREFUSED). ${rerun}`,
  ],
])('%s is named, with its cause and what running it again does', (_name, error, text) => {
  vi.stubEnv('DATA_DIR', '/srv/q');
  expect(outageText(error, { rerun })).toBe(text);
  vi.unstubAllEnvs();
});

it('says to run it again where it is not known what that does', () => {
  expect(outageText(unavailable('store', new Error('x')), {})).toMatch(
    /: x\. Run this again once that is mended\.$/,
  );
});

it.each([
  new Error('mine'),
  new ConfigError('PORT', 'must be a number'),
  new QinboxError('CONFLICT'),
  new QinboxError('SERVICE_UNAVAILABLE', 'MongoDB at db:27017 cannot be used: it is newer.'),
])('leaves what says enough by itself as it is: %s', (error) => {
  expect(outageText(error, { rerun })).toBeNull();
});
