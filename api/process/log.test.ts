import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const WRITE = `
  import { createLog } from '#api/process/log.ts';
  import { noTracing } from '#api/tracing/tracing.ts';
  const [format, ...fields] = JSON.parse(process.argv[1]);
  const config = { logLevel: 'info', logFormat: format, roles: ['api'], tracing: false };
  const log = await createLog(config, 'host-1', noTracing);
  log.info(...fields);
  log.warn({ err: new Error('no disk'), key: 'qi_secret' }, 'not stored');
  process.exit(0);
`;

/** What a process that ends at once has written by then. */
function written(format: 'json' | 'text' | null, ...fields: unknown[]): string {
  const given = JSON.stringify([format, ...fields]);
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', WRITE, given], {
    encoding: 'utf8',
  });
  return stderr;
}

test.each(['json', null] as const)('%s is a line of JSON for each entry, where nobody looks on', (format) => {
  const lines = written(format, { port: 25 }, 'it is taken').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 30, instance: 'host-1', role: 'api', port: 25, msg: 'it is taken' }),
    expect.objectContaining({ level: 40, key: '[redacted]', msg: 'not stored' }),
  ]);
});

test('text is what a person reads: the time of day, the level, what happened and to what', () => {
  const lines = written('text', { port: 25 }, 'it is taken').split('\n');
  expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: it is taken \{"port":25\}$/);
  expect(lines[1]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: not stored \{"key":"\[redacted\]"\}$/);
  expect(lines.slice(2).join('\n')).toContain('no disk');
  expect(lines.join('\n')).not.toMatch(/host-1|qi_secret/);
});

test('text is readable also with a backslash, before any letter', () => {
  const [line = ''] = written('text', { file: String.raw`C:\temp\backup\u001b` }, 'it is taken').split('\n');
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: it is taken \{"file":"C:\\+temp\\+backup\\+u001b"\}$/);
});

test('text has no control characters, which a terminal would obey', () => {
  const text = written(
    'text',
    { from: 'a\u001b[2Jb\u0007' },
    'said \u001b]0;x\u0007\u009b31m\u007f, \r\u0000\u202e\u2066',
  );
  expect(text).toContain('said');
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]/);
});
