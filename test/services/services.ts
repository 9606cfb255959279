// What a test file asks for a shared service. Await it at the top of the file: starting one may take its
// time.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, it } from 'vitest';

/** A service's address, or why there is none. */
export type SharedService = { url: string; kind: string } | { missing: string };

/** The MongoDB-speaking server of this run. Use a database of your own. */
export const sharedMongo = (): Promise<SharedService> => ask('mongodb');

/** The Redis of this run. Use keys of your own. */
export const sharedRedis = (): Promise<SharedService> => ask('redis');

async function ask(name: string): Promise<SharedService> {
  const answer = await new Promise<string>((resolve, reject) => {
    request({ socketPath: inject('servicesSocket'), path: `/${name}` }, (response) => {
      text(response).then(resolve, reject);
    })
      .once('error', reject)
      .end();
  });
  const service = JSON.parse(answer) as SharedService;
  if ('missing' in service && process.env['REQUIRE_SERVICES'] === '1') throw new Error(service.missing);
  return service;
}

/**
 * Describes what needs the service. One test says on what it ran; where there is none, it is skipped and says
 * why.
 */
export function describeWith(
  name: string,
  service: SharedService,
  suite: (service: { url: string; kind: string }) => void,
): void {
  const found = 'missing' in service ? null : service;
  describe(`${name}, on ${found?.kind ?? 'nothing'}`, () => {
    it('has the service that it needs', ({ skip }) => {
      if ('missing' in service) skip(service.missing);
      expect(found).not.toBeNull();
    });
    if (found !== null) suite(found);
  });
}
