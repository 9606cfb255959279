import { networkInterfaces } from 'node:os';
import { describe, expect, it, test } from 'vitest';
import { networkUrls, publicUrlOf } from './addresses.ts';

describe('the address that is given out', () => {
  it.each([
    ['127.0.0.1', 'http://localhost:3000'],
    ['::1', 'http://localhost:3000'],
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['192.168.1.5', 'http://192.168.1.5:3000'],
    ['fd00::5', 'http://[fd00::5]:3000'],
    ['nas.lan', 'http://nas.lan:3000'],
  ])('of a server that listens on %s reaches it: %s', (host, url) => {
    expect(publicUrlOf({ publicUrl: null, host, port: 3000 })).toBe(url);
  });

  it('is PUBLIC_URL where there is one', () => {
    const publicUrl = 'https://q.example.com';
    expect(publicUrlOf({ publicUrl, host: '192.168.1.5', port: 3000 })).toBe(publicUrl);
  });
});

test('a server on all addresses says where the network reaches it, and another one does not', () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  for (const host of ['0.0.0.0', '::'])
    for (const url of networkUrls(host, 3000)) {
      expect(url).toMatch(/^http:\/\/[\d.]+:3000$/);
      expect(own.find(({ address }) => address === new URL(url).hostname)?.internal).toBe(false);
    }
  expect(networkUrls('127.0.0.1', 3000)).toEqual([]);
  expect(networkUrls('192.168.1.5', 3000)).toEqual([]);
});
