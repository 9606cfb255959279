// The stack's MongoDB without its container: a mongod with the key file and the replica set of
// docker-compose.yml, and its health check by the real mongosh, which makes the accounts.
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { plainEnvironment, root, temporaryFolder } from '#test/program/program.ts';
import { startMember } from '#test/services/mongodb.ts';
import type { Service } from '#test/services/service.ts';

/** What .env has for MongoDB, as deploy/setup.sh makes it. */
export interface MongoSecrets {
  MONGODB_PASSWORD: string;
  MONGODB_ADMIN_PASSWORD: string;
  MONGODB_KEY: string;
}
export const SECRETS: MongoSecrets = {
  MONGODB_PASSWORD: 'a1'.repeat(32),
  MONGODB_ADMIN_PASSWORD: 'b2'.repeat(32),
  MONGODB_KEY: 'c3'.repeat(32),
};

export interface Checked {
  /** What it ended with: 0 is healthy. */
  status: number;
  said: string;
}

export interface MongoContainer {
  service: Service;
  /** Of 127.0.0.1. */
  port: string;
  /** The health check, with these secrets or the stack's. */
  check(secrets?: Partial<MongoSecrets>): Promise<Checked>;
  /** Logged in as this account, or as nobody; closed when `work` is done. */
  as<R>(account: 'qinbox' | 'admin' | null, work: (client: MongoClient) => Promise<R>): Promise<R>;
  stop(): Promise<void>;
}

/** As long as docker-compose.yml gives it. */
const CHECK_MS = 30_000;

/** `mongosh` is how to run it. */
export async function startContainer(mongosh: readonly string[]): Promise<MongoContainer> {
  const folder = temporaryFolder('mongo-container');
  const keyFile = join(folder.path, 'key');
  writeFileSync(keyFile, SECRETS.MONGODB_KEY);
  chmodSync(keyFile, 0o400);
  const found = await startMember(['--keyFile', keyFile, '--wiredTigerCacheSizeGB', '0.25']);
  if ('missing' in found) throw new Error(found.missing);
  const { service } = found;
  const { host, port } = new URL(service.url);
  const logins = {
    qinbox: { auth: `qinbox:${SECRETS.MONGODB_PASSWORD}@`, source: '&authSource=qinbox' },
    admin: { auth: `admin:${SECRETS.MONGODB_ADMIN_PASSWORD}@`, source: '&authSource=admin' },
  };
  return {
    service,
    port,
    check(secrets = {}) {
      const [command = '', ...before] = mongosh;
      const args = [...before, '--quiet', '--nodb', '--file', join(root, 'deploy', 'mongo', 'ready.js')];
      const env = plainEnvironment({
        ...SECRETS,
        ...secrets,
        HOME: folder.path,
        MONGODB_HOST: host,
        MONGODB_PORT: port,
      });
      return new Promise((resolve) => {
        execFile(command, args, { env, timeout: CHECK_MS }, (error, stdout, stderr) =>
          resolve({ status: error === null ? 0 : Number(error.code ?? -1), said: stdout + stderr }),
        );
      });
    },
    async as(account, work) {
      const { auth, source } = account === null ? { auth: '', source: '' } : logins[account];
      const client = new MongoClient(`mongodb://${auth}${host}/qinbox?directConnection=true${source}`);
      try {
        return await work(client);
      } finally {
        await client.close();
      }
    },
    async stop() {
      await service.stop();
      folder.remove();
    },
  };
}
