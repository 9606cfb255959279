// The examples, in the language of the chosen tab.
import { Tabs } from '@base-ui/react/tabs';
import { CopyButton } from '../../../ui/copyable.tsx';
import { LANGUAGE_LABEL, LANGUAGES, type Snippet } from '../model/snippets.ts';

const TAB =
  'h-9 flex-1 rounded-sm px-3 text-14 font-medium text-ink-2 transition-colors hover:text-ink-1 data-active:bg-raised data-active:text-ink-1 data-active:shadow-1 data-active:ring-1 data-active:ring-line-1 sm:flex-none sm:px-5';

export function CodeTabs({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Tabs.Root defaultValue={LANGUAGES[0]}>
      <Tabs.List aria-label="Language" className="mt-4 flex gap-1 rounded-md bg-surface-2 p-1 sm:inline-flex">
        {LANGUAGES.map((language) => (
          <Tabs.Tab key={language} value={language} className={TAB}>
            {LANGUAGE_LABEL[language]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {LANGUAGES.map((language) => (
        <Tabs.Panel key={language} value={language} className="mt-4 flex flex-col gap-5 rounded-sm">
          {snippets.map(({ id, title, code }) => (
            <CodeBlock key={id} title={title} code={code[language]} />
          ))}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
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
        // What scrolls needs the focus for its keys.
        tabIndex={0}
        aria-label={title}
        role="group"
        className="overflow-x-auto px-3.5 py-3 font-mono text-13 -outline-offset-2 max-sm:text-[0.75rem]"
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
