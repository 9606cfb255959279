// Reads what strace saw of a server: when a task's bytes went to the write-ahead log, when the log was
// synced, and when the answer left on the socket. kill -9 cannot show a missing sync, because the kernel
// still holds what was written; this can.

/** One finished call, in the order in which strace saw calls begin (`began`) and end (`ended`). */
interface Call {
  name: string;
  text: string;
  began: number;
  ended: number;
}

const FINISHED = /^(?<pid>\d+) +(?<name>\w+)\((?<text>.*)\) += -?\d/s;
const BEGUN = /^(?<pid>\d+) +(?<name>\w+)\((?<text>.*)<unfinished \.\.\.>$/s;
const RESUMED = /^(?<pid>\d+) +<\.\.\. (?<name>\w+) resumed>(?<text>.*)\) += -?\d/s;

/** The calls of a trace made with `strace -f -y`. */
export function readCalls(trace: string): Call[] {
  const calls: Call[] = [];
  const begun = new Map<string, { text: string; began: number }>();
  for (const [line, text] of trace.split('\n').entries()) {
    const start = BEGUN.exec(text)?.groups;
    if (start?.['pid'] !== undefined) begun.set(start['pid'], { text: start['text'] ?? '', began: line });
    const resumed = RESUMED.exec(text)?.groups;
    const first = resumed?.['pid'] === undefined ? undefined : begun.get(resumed['pid']);
    if (resumed && first)
      calls.push({
        name: resumed['name'] ?? '',
        text: first.text + (resumed['text'] ?? ''),
        began: first.began,
        ended: line,
      });
    const whole = FINISHED.exec(text)?.groups;
    if (whole) calls.push({ name: whole['name'] ?? '', text: whole['text'] ?? '', began: line, ended: line });
  }
  return calls;
}

export type Verdict =
  | 'synced before the answer'
  | 'answered without a sync'
  | 'never written'
  | 'never answered';

/**
 * Whether the log was synced after a task's bytes were written to it and before the answer with that task
 * left.
 */
export function judgeMarker(calls: readonly Call[], marker: string): Verdict {
  const onLog = calls.filter(({ text }) => /^\d+<[^>]*-wal>/.test(text));
  const isSync = ({ name }: Call): boolean => name === 'fsync' || name === 'fdatasync';
  const written = onLog.find((call) => !isSync(call) && call.text.includes(marker));
  const answered = calls.find(
    ({ text }) => /^\d+<(socket|TCP)[^>]*>/.test(text) && text.includes(' 201 ') && text.includes(marker),
  );
  if (written === undefined) return 'never written';
  if (answered === undefined) return 'never answered';
  const sync = onLog.find((call) => isSync(call) && call.began > written.ended);
  return sync !== undefined && sync.ended < answered.began
    ? 'synced before the answer'
    : 'answered without a sync';
}
