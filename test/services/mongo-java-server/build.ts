// mongo-java-server over H2, fetched once with Maven.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { complaintOf, type Sought } from '../cache.ts';
import { findProgram } from '../service.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const SERVER = join(import.meta.dirname, 'Server.java');

/** The folder with its classes (`jars/*` and itself), made now if it was not: a minute the first time. */
export async function buildJavaServer(cache: string): Promise<Sought> {
  const hash = createHash('sha256').update(readFileSync(POM)).update(readFileSync(SERVER));
  const path = join(cache, `mongo-java-server-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(path)) return { path };
  const missing = ['mvn', 'javac', 'java'].find((name) => findProgram(name) === null);
  if (missing !== undefined) return { missing: `there is no ${missing} to run mongo-java-server with` };
  const draft = mkdtempSync(`${path}.`);
  try {
    const run = promisify(execFile);
    const copying = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
    // Maven complains on stdout.
    await run('mvn', ['-q', '-B', '-f', POM, copying, `-DoutputDirectory=${join(draft, 'jars')}`]).catch(
      (error: unknown) => {
        throw error instanceof Error && 'stdout' in error
          ? new Error(firstLine(String(error.stdout)))
          : error;
      },
    );
    await run('javac', ['-cp', join(draft, 'jars', '*'), '-d', draft, SERVER]);
    renameSync(draft, path);
    return { path };
  } catch (error) {
    // Another run may have been quicker.
    return existsSync(path)
      ? { path }
      : { missing: `mongo-java-server could not be fetched (${complaintOf(error)})` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
