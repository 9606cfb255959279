// Keeps the services of one test run. A service is started when the first test file asks for it, so that runs
// which need none start none; it is shared by all files and stopped after the last.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildOnce } from '#test/program/program.ts';
import { findMongo } from './mongodb.ts';
import { findRedis } from './redis.ts';
import type { Found } from './service.ts';
import type { SharedService } from './services.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the socket on which services are asked for. */
    servicesSocket: string;
  }
}

const FIND: Record<string, () => Promise<Found>> = { '/mongodb': findMongo, '/redis': findRedis };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before the workers, so that no two build at once.
  buildOnce();
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-services-'));
  const socket = join(folder, 'socket');
  const found = new Map<string, Promise<Found>>();

  const server = createServer((request, response) => {
    const name = request.url ?? '';
    const find = FIND[name] ?? (() => Promise.resolve({ missing: `there is no service ${name}` }));
    const service = found.get(name) ?? find();
    found.set(name, service);
    const answer = (text: SharedService): void => void response.end(JSON.stringify(text));
    service.then(toAnswer).then(answer, (error: unknown) => answer({ missing: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  project.provide('servicesSocket', socket);

  return async () => {
    server.close();
    server.closeAllConnections();
    for (const service of found.values()) {
      const answer = await service.catch(() => null);
      if (answer !== null && 'service' in answer) await answer.service.stop();
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

function toAnswer(found: Found): SharedService {
  return 'missing' in found ? found : { url: found.service.url, kind: found.service.kind };
}
