// Guesses passwords from everywhere: 50 a second, each from another network, for the owner and for nobody in
// turn.
import { Agent } from 'node:http';
import { ask, keepDoing, settings } from './abuser.ts';

const PER_SECOND = 50;

const agent = new Agent({ keepAlive: true });
const anywhere = () => Math.floor(Math.random() * 0x10000).toString(16);

await keepDoing(PER_SECOND, (index) =>
  ask(
    agent,
    'POST',
    `${settings.url}/api/v1/auth/login`,
    {
      'content-type': 'application/json',
      'x-forwarded-for': `2001:db8:${anywhere()}:${anywhere()}::1`,
    },
    JSON.stringify({
      email: index % 2 === 0 ? 'me@example.com' : `nobody${index}@example.com`,
      password: `a guess ${index}`,
    }),
  ),
);
