// A terminal in which commands are typed, and the inbox that they fill. It can be paused, waits while the
// page is hidden, and stands still where reduced motion is asked for.
import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { afterwards, firstPicture, lastsMs, SENT } from '../model/demo.ts';

const LATE_LIFE = 0.2;

export function LiveDemo() {
  const [demo, setDemo] = useState(firstPicture);
  const [playing, setPlaying] = useState(true);
  const moving = useMotion();
  const running = moving && playing;
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => setDemo(afterwards), lastsMs(demo));
    return () => clearTimeout(timer);
  }, [running, demo]);
  const command = SENT[demo.turn]?.command ?? '';
  return (
    <div className="min-w-0">
      <p className="sr-only">
        A demonstration with made-up tasks: one command in a terminal, and the task is in the inbox at once.
      </p>
      <div
        aria-hidden
        translate="no"
        className="rounded-md border border-line-1 bg-surface-2 px-3.5 py-2.5 font-mono text-13"
      >
        <p className="demo-command">
          <span className="text-accent select-none">$ </span>
          {/* One text with its caret: typing moves nothing. */}
          {`${command.slice(0, demo.typed)}${demo.sent ? '' : '▌'}`}
        </p>
        <p className={`mt-1 text-ink-3 transition-opacity ${demo.sent ? '' : 'opacity-0'}`}>
          <span className="text-ok">201</span> Created
        </p>
      </div>
      <div aria-hidden className="mx-auto h-4 w-px bg-line-2" />
      <div className="overflow-hidden rounded-lg border border-line-1 bg-surface-1 shadow-2">
        <div className="flex h-11 items-center gap-2 border-b border-line-1 px-4">
          <p aria-hidden className="text-14 font-semibold">
            Today
          </p>
          {moving ? (
            <button
              type="button"
              onClick={() => setPlaying(!playing)}
              aria-label={playing ? 'Pause the demonstration' : 'Play the demonstration'}
              className="inline-flex size-8 items-center justify-center rounded-sm text-ink-2 hover:bg-surface-2 hover:text-ink-1"
            >
              {playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
            </button>
          ) : null}
          <span aria-hidden className="ml-auto inline-flex items-center gap-2 text-13 text-ink-2">
            <span className="size-2 rounded-full bg-ok" />
            Live
          </span>
        </div>
        <ul aria-hidden className="demo-list">
          {demo.rows.map(({ id, priority, text, source, left, life }) => (
            <li key={id} className="demo-row flex items-center gap-3 px-4">
              <PriorityMark priority={priority} />
              <span className="min-w-0 flex-1 truncate text-16">{text}</span>
              <span className="text-13 text-ink-3 max-sm:hidden">{source}</span>
              <span className="nums w-18 shrink-0 text-right text-13 whitespace-nowrap text-ink-2">
                {left}
              </span>
              <svg className="absolute inset-x-0 bottom-0 h-px w-full">
                <rect width="100%" height="1" className="fill-line-1" />
                <rect
                  width={`${life * 100}%`}
                  height="1"
                  className={life < LATE_LIFE ? 'fill-warn' : 'fill-ink-3/60'}
                />
              </svg>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Whether things may move: motion is welcome, and the page is being looked at. Not until React is there. */
function useMotion(): boolean {
  const [moving, setMoving] = useState(false);
  useEffect(() => {
    const reduced = window.matchMedia?.('(prefers-reduced-motion: reduce)');
    const read = () => setMoving(reduced !== undefined && !reduced.matches && !document.hidden);
    read();
    reduced?.addEventListener('change', read);
    document.addEventListener('visibilitychange', read);
    return () => {
      reduced?.removeEventListener('change', read);
      document.removeEventListener('visibilitychange', read);
    };
  }, []);
  return moving;
}
