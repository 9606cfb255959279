// The examples, in the language of the chosen tab (ARIA Authoring Practices: tabs, chosen when focused).
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { CopyButton } from '../../../ui/copyable.tsx';
import { LANGUAGE_LABEL, LANGUAGES, type Language, type Snippet } from '../model/snippets.ts';

const TAB =
  'h-9 flex-1 rounded-sm px-3 text-14 font-medium text-ink-2 transition-colors hover:text-ink-1 aria-selected:bg-raised aria-selected:text-ink-1 aria-selected:shadow-1 aria-selected:ring-1 aria-selected:ring-line-1 sm:flex-none sm:px-5';

// What scrolls needs the focus for its keys.
const SCROLLABLE = { tabIndex: 0, role: 'group' } as const;

/** Which tab a key leads to from `at`; null for other keys. */
function tabAfter(key: string, at: number): number | null {
  const last = LANGUAGES.length - 1;
  if (key === 'ArrowRight') return at === last ? 0 : at + 1;
  if (key === 'ArrowLeft') return at === 0 ? last : at - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

export function CodeTabs({ snippets }: { snippets: readonly Snippet[] }) {
  const [chosen, setChosen] = useState<Language>(LANGUAGES[0]);
  const tabs = useRef<HTMLDivElement>(null);
  const id = useId();

  function onKeyDown(event: KeyboardEvent) {
    const next = tabAfter(event.key, LANGUAGES.indexOf(chosen));
    const language = next === null ? undefined : LANGUAGES[next];
    if (next === null || language === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    setChosen(language);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <>
      <div
        ref={tabs}
        role="tablist"
        aria-label="Language"
        onKeyDown={onKeyDown}
        tabIndex={-1}
        className="mt-4 flex gap-1 rounded-md bg-surface-2 p-1 sm:inline-flex"
      >
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            role="tab"
            id={`${id}${language}`}
            aria-selected={language === chosen}
            aria-controls={`${id}panel`}
            tabIndex={language === chosen ? 0 : -1}
            onClick={() => setChosen(language)}
            className={TAB}
          >
            {LANGUAGE_LABEL[language]}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}panel`}
        aria-labelledby={`${id}${chosen}`}
        className="mt-4 flex flex-col gap-5"
      >
        {snippets.map(({ id: name, title, code }) => (
          <CodeBlock key={`${chosen} ${name}`} title={title} code={code[chosen]} />
        ))}
      </div>
    </>
  );
}

function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line-1 bg-surface-1">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line-1 py-1 pr-1.5 pl-3.5 text-14 text-ink-2">
        {title}
        <CopyButton text={code} label={`Copy: ${title}`} />
      </figcaption>
      <pre
        {...SCROLLABLE}
        aria-label={title}
        className="overflow-x-auto px-3.5 py-3 font-mono text-13 -outline-offset-2 max-sm:text-[0.75rem]"
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
