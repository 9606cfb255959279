// What is shown of the address of a store.
import { expect, it } from 'vitest';
import { hostsOf } from './url-credentials.ts';

it.each([
  ['redis://localhost:6379/0', 'localhost:6379'],
  ['redis://:pass@word@redis.example.com', 'redis.example.com'],
  ['redis+cluster://ann:secret@a:7000,b:7001', 'a:7000,b:7001'],
  ['mongodb://ann:secret@a,b/qinbox?replicaSet=rs0', 'a,b'],
  ['mongodb+srv://ann:secret@cluster.example.com', 'cluster.example.com'],
])('of %s is %s', (url, hosts) => {
  expect(hostsOf(url)).toBe(hosts);
});
