import { expect, test } from 'vitest';
import { isLocalAddress } from './local-address.ts';

test.each([
  'http://localhost:3000/hooks/x',
  'http://127.0.0.1:3000/hooks/x',
  'http://127.1.2.3/',
  'http://[::1]:3000/hooks/x',
  'http://0.0.0.0:3000/',
  'http://qinbox.localhost/',
  'abc@localhost',
])('%s is reached from the same machine only', (address) => expect(isLocalAddress(address)).toBe(true));

test.each([
  'https://q.example.com/hooks/x',
  'http://192.168.1.5:3000/hooks/localhost',
  'http://localhost.example.com/',
  'abc@in.example.com',
  'localhost@in.example.com',
  '',
])('“%s” is not known to be', (address) => expect(isLocalAddress(address)).toBe(false));
