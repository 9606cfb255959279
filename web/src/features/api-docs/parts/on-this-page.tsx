// The sections of the page and the groups of its calls, beside them; what is being read is marked.
import { useEffect, useState } from 'react';
import { listen } from '../../../lib/listen.ts';
import type { Group } from '../model/document.ts';
import { groupId, SECTIONS } from '../model/sections.ts';

/** Below the header, and a little: what begins above that line is being read. */
const READING_LINE_PX = 140;
const LINK =
  'block rounded-sm px-3 transition-colors hover:bg-surface-2 hover:text-ink-1 aria-[current]:bg-surface-3 aria-[current]:text-ink-1';

export function OnThisPage({ groups }: { groups: readonly Group[] }) {
  const sections = Object.entries(SECTIONS);
  const calls = groups.map(({ name }) => [groupId(name), name] as const);
  const section = useReading(sections.map(([id]) => id));
  const group = useReading(calls.map(([id]) => id));
  const entries = (list: readonly (readonly [string, string])[], reading: string | null, size: string) =>
    list.map(([id, title]) => (
      <li key={id}>
        <a
          href={`#${id}`}
          aria-current={id === reading ? 'location' : undefined}
          className={`${LINK} ${size} text-ink-2 aria-[current]:font-medium`}
        >
          {title}
        </a>
      </li>
    ));
  return (
    <nav aria-label="On this page" className="max-lg:hidden">
      <div className="sticky top-22 -ml-3 flex max-h-[calc(100dvh-7rem)] flex-col overflow-y-auto">
        <ul className="flex flex-col gap-0.5">{entries(sections, section, 'py-1.5 text-14')}</ul>
        {calls.length === 0 ? null : (
          <>
            <p id="calls-by-subject" className="mt-5 mb-1 px-3 text-13 font-medium text-ink-3">
              Calls
            </p>
            <ul aria-labelledby="calls-by-subject" className="flex flex-col">
              {entries(calls, section === 'endpoints' ? group : null, 'py-1 text-13')}
            </ul>
          </>
        )}
      </div>
    </nav>
  );
}

/** The last of these that begins above the reading line; null above the first. */
function useReading(ids: readonly string[]): string | null {
  const [reading, setReading] = useState<string | null>(null);
  const list = ids.join(' ');
  useEffect(() => {
    let frame = 0;
    function look() {
      frame = 0;
      const begun = list
        .split(' ')
        .filter(
          (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < READING_LINE_PX,
        );
      // The last section may be too short to reach the line.
      const isAtEnd =
        window.scrollY > 0 &&
        window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
      setReading((isAtEnd ? list.split(' ').at(-1) : begun.at(-1)) ?? null);
    }
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    later();
    const stop = listen(window, { scroll: later, resize: later }, { passive: true });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [list]);
  return reading;
}
