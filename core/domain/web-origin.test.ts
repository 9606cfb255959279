// An origin is what browsers send, or it is refused.
import { expect, it } from 'vitest';
import { isWebAddress, readOrigin } from './web-origin.ts';

it.each([
  ['https://q.example.com', 'https://q.example.com'],
  ['https://q.example.com/', 'https://q.example.com'],
  ['HTTPS://Q.Example.com:443', 'https://q.example.com'],
  ['http://bücher.example:8080', 'http://xn--bcher-kva.example:8080'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://q.example.com/inbox', null],
  ['https://q.example.com?', null],
  ['https://q.example.com/#x', null],
  ['https://me:pw@q.example.com', null],
  ['https://q.example.com:port', null],
  ['https://', null],
  ['https:///inbox', null],
  ['https:q.example.com', null],
  ['ftp://q.example.com', null],
  ['q.example.com', null],
  ['null', null],
  ['*', null],
])('reads the origin of %s as %s', (text, origin) => {
  expect(readOrigin(text)).toBe(origin);
});

it('takes paths and queries in addresses that are no origin', () => {
  expect(isWebAddress('HTTP://collector:4318/v1/traces?x=1')).toBe(true);
  for (const text of ['http://a b', 'http://:80', 'http://collector:99999', 'collector:4318'])
    expect(isWebAddress(text), text).toBe(false);
});
