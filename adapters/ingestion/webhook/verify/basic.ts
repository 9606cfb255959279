// HTTP Basic (RFC 7617): a user name and a password with each delivery.
import { Type } from 'typebox';
import { claimedId, isOneOf, sameText, secretFields, secretsOf, textOption } from './checks.ts';
import { refuse, type Scheme } from './scheme.ts';

export const basic: Scheme = {
  id: 'basic',
  title: 'User name and password',
  description: 'HTTP Basic authentication, as Alertmanager, Grafana and most tools can send it.',
  fields: Type.Object({
    username: Type.Optional(
      Type.String({ title: 'User name', description: 'Empty for any.', default: '', maxLength: 200 }),
    ),
    ...secretFields('Password', 'What the sender gives as password.'),
  }),
  challenge: 'Basic realm="qinbox", charset="UTF-8"',
  verify(delivery) {
    const header = delivery.headers['authorization'];
    if (header === undefined) return refuse('The header authorization is missing: no password was sent.');
    const [, encoded] = /^basic +([\w+/-]+={0,2})$/i.exec(header.trim()) ?? [];
    if (encoded === undefined) return refuse('The header authorization is not HTTP Basic.');
    const credentials = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = credentials.indexOf(':');
    if (colon < 0) return refuse('The header authorization has no password.');
    const username = textOption(delivery.options, 'username');
    const named = username === '' || sameText(credentials.slice(0, colon), username);
    const isPassword = isOneOf(credentials.slice(colon + 1), secretsOf(delivery));
    if (!named || !isPassword) return refuse('The user name or the password is not the one of this intake.');
    // The body is not signed, so only the sender's id identifies a repeat.
    return { ok: true, replayKey: claimedId(delivery.headers) };
  },
};
