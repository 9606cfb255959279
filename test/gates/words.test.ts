// Comments fit 110 columns, and names are the field's or the glossary's: no coined word of the list is a part of one.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#test/program/program.ts';

type Check = 'columns' | 'names' | 'phrases';

const MAX_COLUMNS = 110;
/** Parts of identifiers, with the term to use instead. */
const COINED: Record<string, string> = {
  desk: 'intake service',
  handover: 'submission',
  vault: 'encryption',
  seal: 'encrypt',
  sealed: 'encrypted',
  unseal: 'decrypt',
  trial: 'preview',
  trials: 'preview',
  caps: 'rate limit',
  kept: 'stored, cached',
  settle: 'outcome',
  settling: 'outcome',
  muted: 'suppressed',
  believed: 'cached',
  remembered: 'cached',
  whoever: 'caller, sender',
};
/** Phrases that no comment, text or test name has. */
const PHRASES = /\b(whoever|handover|vault|in our stead|slip of the finger)\b/i;
/** Names of libraries, colours and persisted data that have such a part. */
const ALLOWED = new Set(['allSettled', 'text-muted', 'muted']);
/** Findings that stay, by check and file: persisted names, patterns, text on screens. Only ever shorter. */
const REMAINING = JSON.parse(
  readFileSync(join(root, 'test', 'gates', 'words-remaining.json'), 'utf8'),
) as Record<Check, Record<string, number>>;

const files = execFileSync(
  'git',
  ['ls-files', 'core', 'adapters', 'api', 'cli', 'web', 'scripts', 'bench', 'test'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(
    (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.includes('/fixtures/') && existsSync(join(root, file)),
  )
  .filter((file) => file !== 'test/gates/words.test.ts');

/** Comments of more columns than allowed, by line. */
function longComments(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > MAX_COLUMNS && /^\s*(\/\/|\*|\/\*)/.test(line) ? [index + 1] : [],
    );
}

/** Identifiers of the code, without comments, strings and templates, that have a coined part. */
function coinedNames(text: string): string[] {
  const code = text
    .replaceAll(/\/\*[^]*?\*\//g, ' ')
    .replaceAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    .replaceAll(/(^|[^:])\/\/.*$/gm, '$1')
    .replaceAll(/`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g, '``');
  const names = new Set(code.match(/[A-Za-z_$][\w$]*/g));
  const parts = (name: string) =>
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[ _$]+/);
  return [...names].filter(
    (name) => !ALLOWED.has(name) && parts(name).some((part) => Object.hasOwn(COINED, part)),
  );
}

/** What a check finds, without the files that are still to be mended. */
function findings(check: Check, find: (text: string) => readonly (string | number)[]): string[] {
  return files.flatMap((file) => {
    const found = find(readFileSync(join(root, file), 'utf8'));
    return found.length <= (REMAINING[check][file] ?? 0) ? [] : found.map((one) => `${file}: ${one}`);
  });
}

function coinedPhrases(text: string): string[] {
  return text.split('\n').filter((line) => PHRASES.test(line));
}

describe('comments and names', () => {
  it(`of no file have a comment of more than ${MAX_COLUMNS} columns`, () => {
    expect(findings('columns', longComments)).toEqual([]);
  });

  it('of no file have a coined word in a name', () => {
    expect(findings('names', coinedNames)).toEqual([]);
  });

  it('of no file have a coined phrase', () => {
    expect(findings('phrases', coinedPhrases)).toEqual([]);
  });

  it('are found when they are wrong', () => {
    expect(longComments(`const a = 1;\n// ${'word '.repeat(25)}\n`)).toEqual([2]);
    expect(coinedNames('const isKept = true; // kept\nconst text = "kept";\nlet intakeDesk;')).toEqual([
      'isKept',
      'intakeDesk',
    ]);
    expect(PHRASES.test('Whoever calls')).toBe(true);
  });
});
