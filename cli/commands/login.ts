// `qinbox login` and `qinbox logout`: which server the commands for everybody talk to.
import type { AnswerOf, Routes } from '#core/contract/index.ts';
import { hasOption, textOption, UsageError, type Command } from '../command.ts';
import { call } from '../client/call.ts';
import { DEFAULT_URL, isKey, readUrl, removeLogin, saveLogin, urlVariable } from '../client/login-file.ts';
import { jsonOption } from '../client/options.ts';
import { readSecret } from '../client/read-input.ts';

const login: Command = {
  name: 'login',
  usage: '[--url URL] [--key KEY] [--json]',
  summary: 'check a server address and key, and store them for the commands below',
  details:
    'The key is asked for without showing it, or read from standard input. It is stored in the configuration folder of your account, readable by you alone, and never sent to another address. QINBOX_URL and QINBOX_KEY in the environment win over what is stored.',
  examples: [
    ['qinbox login --url https://inbox.example.com', 'asks for the key'],
    ['qinbox login --url https://inbox.example.com < key.txt', 'reads it from a file'],
  ],
  options: {
    url: { type: 'string', value: 'URL', help: `address of the server (${DEFAULT_URL})` },
    key: { type: 'string', value: 'KEY', help: 'the API key; others on this machine may see it typed so' },
    ...jsonOption,
  },
  async run(words, output) {
    const option = textOption(words, 'url');
    const url = option ? readUrl(option, '--url') : urlVariable(process.env['QINBOX_URL'] || DEFAULT_URL);
    const given = textOption(words, 'key')?.trim() || process.env['QINBOX_KEY']?.trim();
    const key = given || (await readSecret(`API key for ${url} (not shown): `));
    if (!isKey(key))
      throw new UsageError('Give an API key: type it when asked, pipe it in, or say --key qi_…');
    const request = { method: 'GET', path: '/auth/profile' } as const;
    const { user } = await call<AnswerOf<Routes['auth']['profile']>>({ url, key }, request);
    const scopes = 'scopes' in user ? user.scopes : [];
    const file = saveLogin({ url, key });
    if (hasOption(words, 'json')) output.print(JSON.stringify({ url, scopes, file }));
    else output.print(`Logged in to ${url} (${scopes.join(', ')}). Stored in ${file}.`);
  },
};

const logout: Command = {
  name: 'logout',
  usage: '[--json]',
  summary: 'remove the stored address and key',
  options: jsonOption,
  async run(words, output) {
    const { login, file } = removeLogin();
    if (hasOption(words, 'json')) output.print(JSON.stringify({ url: login?.url ?? null, file }));
    else if (login === null) output.print('Nobody was logged in.');
    else {
      output.print(`Logged out of ${login.url}.`);
      output.note('The key itself stays good until it is revoked in Settings.');
    }
  },
};

export const loginCommands: Command[] = [login, logout];
