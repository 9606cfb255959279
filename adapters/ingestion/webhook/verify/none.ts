// No verification: anybody who knows the address can write to it.
import { Type } from 'typebox';
import { claimedId } from './checks.ts';
import type { Scheme } from './scheme.ts';

export const none: Scheme = {
  id: 'none',
  title: 'None',
  description: 'Anyone who knows the address can send. Choose it only for senders that cannot sign.',
  fields: Type.Object({}),
  // The same body again may well be a new event ("backup done"), so only a sender's own id tells a repeat.
  verify: ({ headers }) => ({ ok: true, replayKey: claimedId(headers) }),
};
