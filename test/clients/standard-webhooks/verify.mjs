// A receiver's check with the published JavaScript library: reads {secret, headers, body}, prints the type.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const { Webhook } = createRequire(join(process.argv[2], 'package.json'))('standardwebhooks');
const { secret, headers, body } = JSON.parse(await text(process.stdin));
process.stdout.write(new Webhook(secret).verify(body, headers).type);
