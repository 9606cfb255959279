// What REDIS_URL may be.
import { expect, it } from 'vitest';
import { readRedisUrl } from './redis-url.ts';

const NOBODY = {
  tls: false,
  username: undefined,
  password: undefined,
  database: 0,
  sentinelUsername: undefined,
  sentinelPassword: undefined,
};

it.each([
  'redis://localhost:6379',
  'redis://localhost/',
  'redis://[::1]:6379/0?family=6',
  'redis://ann:a@b%2Fc:d@localhost',
  'rediss://:secret@redis.example.com:6380/1',
])('reads %s as one', (url) => {
  expect(readRedisUrl(url)).toBeNull();
});

it('reads the servers of a cluster, with ports and passwords or without', () => {
  expect(readRedisUrl('redis+cluster://a:7000,b,[::1]:7002')).toEqual({
    ...NOBODY,
    kind: 'cluster',
    primary: '',
    hosts: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
      { host: '::1', port: 7002 },
    ],
  });
  expect(readRedisUrl('rediss+cluster://ann:s%40cret:x@a,b/')).toMatchObject({
    tls: true,
    username: 'ann',
    password: 's@cret:x',
    hosts: [{ host: 'a' }, { host: 'b' }],
  });
});

it('reads sentinels, the name of their primary, its database, and their own password', () => {
  const url = 'redis+sentinel://:one@s1,s2:26380/mymaster/2?sentinel_username=eve&sentinel_password=two%2B';
  expect(readRedisUrl(url)).toEqual({
    ...NOBODY,
    kind: 'sentinel',
    primary: 'mymaster',
    hosts: [
      { host: 's1', port: 26379 },
      { host: 's2', port: 26380 },
    ],
    password: 'one',
    database: 2,
    sentinelUsername: 'eve',
    sentinelPassword: 'two+',
  });
});

it.each([
  ['http://a', /^must be an address such as redis:\/\//],
  ['redis://localhost:6379/qinbox', /the number of a database/],
  ['redis://localhost:6379/0/1', /the number of a database/],
  ['redis://localhost:none', /^must be an address such as redis:\/\//],
  ['redis://:pass/word@localhost', /written as %2F/],
  ['redis://:pass#word@localhost', /written as %2F/],
  ['redis://:12#34@localhost', /written as %2F/],
  ['redis://:100%@localhost', /written as %2F/],
  ['redis+other://a', /^must be an address such as/],
  ['redis+cluster://', /^must be an address such as/],
  ['redis+cluster://a,,b', /HOST:PORT/],
  ['redis+cluster://a:0', /HOST:PORT/],
  ['redis+cluster://a:70000,b', /HOST:PORT/],
  ['redis+cluster://a,b/1', /one database/],
  ['redis+cluster://a?x=1', /no parameters/],
  ['redis+sentinel://a,b', /name that the sentinels have/],
  ['redis+sentinel://a/name/x', /number of a database/],
  ['redis+sentinel://a/name/1/2', /number of a database/],
  ['redis+sentinel://:secret@a/name?password=1', /sentinel_username and sentinel_password/],
])('refuses %s, with what to do and without what is secret', (url, expected) => {
  const reading = readRedisUrl(url);
  expect(reading).toEqual({ fault: expect.stringMatching(expected) });
  expect(JSON.stringify(reading)).not.toContain('secret@');
});
