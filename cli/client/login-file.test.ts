import { describe, expect, it } from 'vitest';
import { chooseLogin, configFolder, readUrl } from './login-file.ts';

describe('the configuration folder', () => {
  it.each([
    ['linux', {}, '/home/ann/.config'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x'],
    ['darwin', {}, '/home/ann/Library/Application Support'],
    ['darwin', { XDG_CONFIG_HOME: '/x' }, '/x'],
    ['win32', { APPDATA: '/roaming' }, '/roaming'],
    ['win32', {}, '/home/ann/AppData/Roaming'],
  ] as const)('of %s with %j is %s', (platform, env, folder) => {
    expect(configFolder(platform, env, '/home/ann')).toBe(folder);
  });
});

describe('the login', () => {
  const stored = { url: 'https://inbox.example.com', key: 'qi_stored' };

  it('of the environment wins', () => {
    const env = { QINBOX_URL: 'https://other.example.com/', QINBOX_KEY: 'qi_env' };
    expect(chooseLogin(env, stored)).toEqual({ url: 'https://other.example.com', key: 'qi_env' });
    expect(chooseLogin({ QINBOX_KEY: 'qi_env' }, stored)).toEqual({ url: stored.url, key: 'qi_env' });
    expect(chooseLogin({ QINBOX_KEY: 'qi_env' }, null).url).toBe('http://localhost:3000');
    expect(chooseLogin({ QINBOX_URL: `${stored.url}/` }, stored)).toEqual(stored);
  });

  it('that is stored goes to no other address', () => {
    expect(() => chooseLogin({ QINBOX_URL: 'https://other.example.com' }, stored)).toThrow('set QINBOX_KEY');
  });

  it.each([
    [{ QINBOX_URL: 'inbox.example.com', QINBOX_KEY: 'qi_env' }, 'QINBOX_URL must be the address of a server'],
    [{ QINBOX_URL: 'inbox.example.com' }, 'QINBOX_URL must be the address of a server'],
    // What `npm run` without --silent prints before a key.
    [{ QINBOX_KEY: '> qinbox@0.1.0 qinbox\n\nqi_env' }, 'QINBOX_KEY must be an API key, and nothing else.'],
  ])('of a wrong variable is refused by its name, as a matter of configuration', (env, text) => {
    let error: unknown;
    try {
      chooseLogin(env, stored);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ exitCode: 78, message: expect.stringContaining(text) });
  });

  it('that is missing says what to run', () => {
    expect(() => chooseLogin({}, null)).toThrow('qinbox login --url http://localhost:3000');
  });
});

describe('an address', () => {
  it('is an origin and perhaps a path', () => {
    expect(readUrl(' https://example.com/inbox/ ', '--url')).toBe('https://example.com/inbox');
  });

  it.each([
    '',
    'example.com',
    'ftp://example.com',
    'https://ann:secret@example.com',
    'https://x.example?a=b',
  ])('%j is refused', (text) => {
    expect(() => readUrl(text, '--url')).toThrow('--url must be the address of a server');
  });
});
