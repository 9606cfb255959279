// Every call of the API by subject, with a field that narrows them down, and the shapes that they share.
import { Search, ShieldCheck } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { isComposing } from '../../../lib/composing.ts';
import { listen } from '../../../lib/listen.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { Code } from '../../../ui/code.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { fieldsOf, filterGroups, groupsOf, typeOf, type ApiDocument } from '../model/document.ts';
import { groupId } from '../model/sections.ts';
import { FieldList } from './field-list.tsx';
import { Disclosure, OperationItem } from './operation-item.tsx';
import { Prose, Rows, SectionLink } from './section.tsx';

interface EndpointsProps {
  document: ApiDocument;
  /** Ends in `/api/v1`. */
  baseUrl: string;
}

export function Endpoints({ document: api, baseUrl }: EndpointsProps) {
  const [text, setText] = useState('');
  const groups = useMemo(() => groupsOf(api), [api]);
  const shown = useMemo(() => filterGroups(groups, text), [groups, text]);
  const wanted = useLinkedId();
  const shapes = Object.entries(api.components.schemas);
  const count = (list: typeof groups) => list.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <>
      <SearchField
        text={text}
        onChange={setText}
        onEnter={() => {
          const [first] = shown.flatMap(({ operations }) => operations);
          if (first === undefined) return;
          location.hash = first.operationId;
          document.querySelector<HTMLElement>(`#${first.operationId} > summary`)?.focus();
        }}
      />
      <p role="status" className="nums mt-2 text-13 text-ink-2">
        {shown.length === 0
          ? `No endpoint matches “${text.trim()}”`
          : `${count(shown)} of ${count(groups)} endpoints`}
      </p>
      {shown.map(({ name, description, operations, administrators }) => (
        <section
          key={name}
          aria-label={name}
          className={administrators ? 'mt-10 border-t border-line-1 pt-6' : 'mt-6'}
        >
          <div className="group/title flex items-center gap-2">
            {administrators ? <ShieldCheck size={17} aria-hidden className="text-warn" /> : null}
            <h3 id={groupId(name)} className="scroll-mt-20 text-16 font-semibold">
              {name}
            </h3>
            <SectionLink id={groupId(name)} title={name} />
          </div>
          <p className="mb-2 text-14 text-ink-2">{description}</p>
          <Rows count={operations.length}>
            {operations.map((operation) => (
              <OperationItem
                key={operation.operationId}
                operation={operation}
                document={api}
                baseUrl={baseUrl}
                wanted={wanted === operation.operationId}
              />
            ))}
          </Rows>
        </section>
      ))}
      <section aria-label="Shapes" className="mt-8">
        <h3 className="text-16 font-semibold">Shapes</h3>
        <p className="mb-2 text-14 text-ink-2">What several calls send or answer alike.</p>
        <Rows count={shapes.length}>
          {shapes.map(([name, schema]) => (
            <Disclosure
              key={name}
              id={`shape-${name}`}
              wanted={wanted === `shape-${name}`}
              summary={<Code className="text-13 font-medium">{name}</Code>}
            >
              <div className="px-3 pt-1 pb-5 sm:pr-4 sm:pl-[3rem]">
                {schema.description === undefined ? null : (
                  <p className="mb-1.5 text-14 text-ink-2">
                    <Prose text={schema.description} />
                  </p>
                )}
                {schema.anyOf === undefined ? null : (
                  <p className="mb-1.5 text-14 text-ink-2">One of these: {typeOf(schema).text}.</p>
                )}
                <FieldList label={name} fields={fieldsOf(schema)} />
              </div>
            </Disclosure>
          ))}
        </Rows>
      </section>
    </>
  );
}

interface SearchFieldProps {
  text: string;
  onChange: (text: string) => void;
  /** Goes to the first call that was found. */
  onEnter: () => void;
}

function SearchField({ text, onChange, onEnter }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({
    '/': () => {
      field.current?.scrollIntoView({ block: 'center' });
      field.current?.focus({ preventScroll: true });
    },
  });

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') field.current?.blur();
      onChange('');
    } else if (event.key === 'Enter') {
      onEnter();
    }
  }

  return (
    <div className="relative mt-4">
      <Search
        size={17}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
      />
      <input
        ref={field}
        type="search"
        aria-label="Filter endpoints"
        aria-keyshortcuts="/"
        placeholder="Filter: pin, POST, api-keys"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer h-11 w-full rounded-md border border-line-2 bg-surface-1 pr-3 pl-10 text-16"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 peer-focus:hidden peer-not-placeholder-shown:hidden touch:hidden"
      >
        <Keys keys="/" />
      </span>
    </div>
  );
}

// The linked part is drawn after the browser looked for it: scroll to it then.
function useLinkedId(): string {
  const [id, setId] = useState(() => location.hash.slice(1));
  useEffect(() => listen(window, { hashchange: () => setId(location.hash.slice(1)) }), []);
  useEffect(() => {
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, [id]);
  return id;
}
