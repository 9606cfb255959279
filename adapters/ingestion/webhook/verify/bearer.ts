// A shared token in a header (RFC 6750, or a header of the sender's own).
import { Type } from 'typebox';
import { claimedId, headerField, headerOf, isOneOf, secretFields, secretsOf, textOption } from './checks.ts';
import { refuse, type Scheme } from './scheme.ts';

export const bearer: Scheme = {
  id: 'bearer',
  title: 'Token in a header',
  description: 'A shared token: "Authorization: Bearer …", or a header of your choice such as X-Api-Key.',
  fields: Type.Object({
    ...secretFields('Token', 'What the sender puts into the header.'),
    header: headerField({
      title: 'Header',
      description: 'In Authorization the token follows the word Bearer; in any other header it stands alone.',
      default: 'Authorization',
    }),
  }),
  challenge: 'Bearer realm="qinbox"',
  verify(delivery) {
    const name = textOption(delivery.options, 'header', 'authorization').toLowerCase();
    const header = headerOf(delivery.headers, name);
    if (header === undefined) return refuse(`The header ${name} is missing: no token was sent.`);
    const token = name === 'authorization' ? /^bearer +(\S.*)$/i.exec(header.trim())?.[1] : header.trim();
    if (token === undefined) return refuse('The header authorization has no bearer token.');
    if (!isOneOf(token, secretsOf(delivery))) return refuse('The token is not the one of this intake.');
    // The body is not signed, so only the sender's id identifies a repeat.
    return { ok: true, replayKey: claimedId(delivery.headers) };
  },
};
