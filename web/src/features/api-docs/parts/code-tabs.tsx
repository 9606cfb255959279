// Code in the language of the chosen tab (ARIA Authoring Practices: tabs, chosen when focused). A choice
// holds for all code of the page.
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { updatePage, usePageState } from '../data/page-state.ts';
import { LANGUAGE_LABEL, LANGUAGES, type Language } from '../model/code.ts';
import type { Snippet } from '../model/snippets.ts';
import { CodeFigure } from './code.tsx';

const TAB =
  'h-9 flex-1 rounded-sm px-2 text-14 font-medium whitespace-nowrap text-ink-2 transition-colors hover:text-ink-1 aria-selected:bg-raised aria-selected:text-ink-1 aria-selected:shadow-1 aria-selected:ring-1 aria-selected:ring-line-1 touch:min-h-11 touch:min-w-11 max-sm:text-13 sm:flex-none sm:px-4';

/** Which tab a key leads to from `at`; null for other keys. */
function tabAfter(key: string, at: number): number | null {
  const last = LANGUAGES.length - 1;
  if (key === 'ArrowRight') return at === last ? 0 : at + 1;
  if (key === 'ArrowLeft') return at === 0 ? last : at - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

interface LanguageTabsProps {
  label: string;
  /** Draws what the chosen tab shows. */
  children: (language: Language) => ReactNode;
}

export function LanguageTabs({ label, children }: LanguageTabsProps) {
  const { language: chosen } = usePageState();
  const tabs = useRef<HTMLDivElement>(null);
  const id = useId();

  function onKeyDown(event: KeyboardEvent) {
    const next = tabAfter(event.key, LANGUAGES.indexOf(chosen));
    const language = next === null ? undefined : LANGUAGES[next];
    if (next === null || language === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    updatePage({ language });
    tabs.current?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <>
      <div
        ref={tabs}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        tabIndex={-1}
        className="mt-3 flex gap-1 rounded-md bg-surface-2 p-1 sm:inline-flex"
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
            onClick={() => updatePage({ language })}
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
        className="mt-3 flex flex-col gap-5"
      >
        {children(chosen)}
      </div>
    </>
  );
}

interface CodeTabsProps {
  /** As they are shown. */
  shown: readonly Snippet[];
  /** As they are copied. */
  whole: readonly Snippet[];
}

export function CodeTabs({ shown, whole }: CodeTabsProps) {
  return (
    <LanguageTabs label="Language">
      {(language) =>
        shown.map(({ id, title, code }, index) => (
          <CodeFigure
            key={`${language} ${id}`}
            title={title}
            code={code[language]}
            whole={whole[index]?.code[language] ?? ''}
            language={language}
          />
        ))
      }
    </LanguageTabs>
  );
}
