// A process between the program and a server that is far away: everything takes DELAY_MS each way. Prints its
// port.
import { startProxy } from '#test/services/proxy.ts';

const { PORT = '', DELAY_MS = '' } = process.env;
const proxy = await startProxy('127.0.0.1', Number(PORT));
proxy.delay(Number(DELAY_MS));
process.stdout.write(`port ${proxy.port}\n`);
