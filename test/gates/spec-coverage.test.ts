// docs/spec-coverage.md says which test proves which demand of the specification: each of them must be there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#test/program/program.ts';

interface Demand {
  what: string;
  proofs: { file: string; title: string }[];
}

function read(): Demand[] {
  const demands: Demand[] = [];
  for (const line of readFileSync(join(root, 'docs', 'spec-coverage.md'), 'utf8').split('\n')) {
    const proof = /^ {2}- `([^`]+)`: `([^`]+)`$/.exec(line);
    if (proof !== null) demands.at(-1)?.proofs.push({ file: proof[1] ?? '', title: proof[2] ?? '' });
    else if (line.startsWith('- ')) demands.push({ what: line.slice(2), proofs: [] });
    else if (/^\s*-/.test(line)) throw new Error(`neither a demand nor a proof: ${line}`);
  }
  return demands;
}

/** Whether a file has a test of this title: as a string that is followed by what the test does. */
function hasTest(file: string, title: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``].some((quoted) =>
    source
      .split(quoted)
      .slice(1)
      .some((rest) => /^,\s*(async\b|\(|\{)/.test(rest)),
  );
}

describe('the list of what the specification asks', () => {
  const demands = read();

  it('names a proof for each demand', () => {
    expect(demands.length).toBeGreaterThan(100);
    expect(demands.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
  });

  it('names tests that exist', () => {
    const proofs = demands.flatMap((demand) => demand.proofs);
    expect(proofs.filter(({ file, title }) => !hasTest(file, title))).toEqual([]);
  });

  it('would notice one that does not', () => {
    expect(hasTest('test/gates/spec-coverage.test.ts', 'names tests that exist')).toBe(true);
    expect(hasTest('test/gates/spec-coverage.test.ts', 'names tests that never existed')).toBe(false);
    expect(hasTest('test/gates/no-such.test.ts', 'names tests that exist')).toBe(false);
  });
});
