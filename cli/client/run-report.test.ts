// What a task says of a command: its last lines as they stood on a terminal, within the limits of a task.
import { describe, expect, it } from 'vitest';
import { commandKey, reportText } from './run-report.ts';
import { createTail } from './tail.ts';

function tailOf(...chunks: (string | Buffer)[]): string[] {
  const tail = createTail();
  const reader = tail.reader();
  for (const chunk of chunks) reader.write(Buffer.from(chunk));
  reader.end();
  return tail.lines();
}

describe('the last lines of a command', () => {
  it('are twenty, whole ones also where they come in pieces', () => {
    const all = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    expect(tailOf(`${all.join('\n')}\n`)).toEqual(all.slice(-20));
    const [first, second] = [
      Buffer.from('größer\nlast').subarray(0, 3),
      Buffer.from('größer\nlast').subarray(3),
    ];
    expect(tailOf(first, second)).toEqual(['größer', 'last']);
    expect(tailOf('')).toEqual([]);
  });

  it('are as they stood in the end: no colours, a progress bar in its last state, nothing that cannot be seen', () => {
    expect(tailOf('\u001b[31mred\u001b[0m\r\n 10 %\r 50 %\r100 %\n\tx\n')).toEqual(['red', '100 %', '    x']);
    expect(tailOf('a\u0007b\n')[0]).not.toContain('\u0007');
  });

  it('are clipped, and take little memory where a line has no end', () => {
    const [line = ''] = tailOf(`${'🛟'.repeat(500)}\n`);
    expect(Array.from(line)).toHaveLength(400);
    expect(line.endsWith('🛟…')).toBe(true);
    const [endless = ''] = tailOf(...Array.from({ length: 100 }, () => 'x'.repeat(10_000)));
    expect(endless).toHaveLength(400);
  });

  it('are those of both its streams, in the order in which lines ended', () => {
    const tail = createTail();
    const [out, err] = [tail.reader(), tail.reader()];
    out.write(Buffer.from('half'));
    err.write(Buffer.from('error\n'));
    out.write(Buffer.from(' and half\n'));
    expect(tail.lines()).toEqual(['error', 'half and half']);
  });
});

describe('what a task says of a command', () => {
  const ended = { exitCode: 3, signal: null, fault: null, durationMs: 125_000, lines: ['a', 'b'] };

  it('is how it ended, after how long, and its last lines', () => {
    expect(reportText('backup', ended)).toBe('backup failed (exit 3, after 2 min 5 s)\n\na\nb');
    expect(reportText('backup', { ...ended, exitCode: 137, signal: 'SIGKILL', lines: [] })).toBe(
      'backup failed (SIGKILL, after 2 min 5 s)',
    );
    expect(reportText('x', { ...ended, exitCode: 127, fault: 'command not found', lines: [] })).toBe(
      'x could not be started (command not found)',
    );
    expect(reportText('x', { ...ended, exitCode: 0, lines: [] })).toBe('x succeeded (after 2 min 5 s)');
  });

  it('fits into a task, the oldest lines left out first', () => {
    const lines = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(396)}`);
    const text = reportText('y'.repeat(1000), { ...ended, lines });
    expect(Array.from(text).length).toBeLessThanOrEqual(10_000);
    expect(text.split('\n')[0]).toHaveLength(200 + ' failed (exit 3, after 2 min 5 s)'.length);
    expect(text.split('\n').at(-1)).toBe(lines.at(-1));
  });

  it('is of one command in one folder of one machine', () => {
    const keys = [
      commandKey('h', '/a', ['x', 'y']),
      commandKey('h', '/b', ['x', 'y']),
      commandKey('i', '/a', ['x', 'y']),
      commandKey('h', '/a', ['x y']),
    ];
    expect(new Set(keys).size).toBe(4);
    expect(commandKey('h', '/a', ['x', 'y'])).toBe(keys[0]);
  });
});
