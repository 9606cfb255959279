// Sends forged deliveries to the normal user's signed intake, whose address it knows and whose secret it does
// not: 50 a second.
import { Agent } from 'node:http';
import { ask, keepDoing, settings } from './abuser.ts';

const PER_SECOND = 50;
const FORGED = 'a'.repeat(64);

const agent = new Agent({ keepAlive: true });
const body = JSON.stringify({ message: 'x'.repeat(10_000) });

await keepDoing(PER_SECOND, () =>
  ask(
    agent,
    'POST',
    settings.hookUrl,
    { 'content-type': 'application/json', 'x-signature-256': FORGED },
    body,
  ),
);
