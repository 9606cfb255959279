// All senders that the adapters know, found by typing.
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { INPUT } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { SenderMark } from './sender-mark.tsx';

const PLAIN = {
  url: 'A URL of its own. What is posted to it becomes a task.',
  email: 'A mail address of its own. Write or forward mail to it, and each becomes a task.',
};

// Known senders first, then the general one. The chosen one stands in the address of the form, so that it
// survives a reload and "back" goes back to the choice.
function choicesOf(kind: IntakeKindInfo) {
  const plain = { id: null, title: kind.title, description: PLAIN[kind.addressKind] };
  const [general = plain, ...known] = kind.presets;
  return [...known, general].map(({ id, title, description }) => {
    const params = new URLSearchParams({ adapter: kind.id, ...(id === null ? {} : { preset: id }) });
    return { href: `/admin/intakes/new?${params.toString()}`, preset: id, title, description };
  });
}

// Typing is the quickest way; on touch it would put the keyboard over the senders. What has the focus already
// has it.
function useFocusAtOpening() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.id === 'content';
    if (isFree && window.matchMedia?.('(hover: hover)').matches)
      field.current?.focus({ preventScroll: true });
  }, []);
  return field;
}

export function SenderGallery({ kinds }: { kinds: readonly IntakeKindInfo[] }) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const field = useFocusAtOpening();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = kinds
    .toSorted((a, b) => Number(a.presets.length > 0) - Number(b.presets.length > 0))
    .map((kind) => ({
      kind,
      choices: choicesOf(kind).filter(({ title, description }) => {
        const text = `${title} ${description} ${kind.title} ${kind.addressKind}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ choices }) => choices.length > 0);
  const found = groups.flatMap(({ choices }) => choices);
  const best =
    found.find(({ title }) => title.toLowerCase().startsWith(typed.trim().toLowerCase())) ?? found[0];

  return (
    <div className="flex flex-col gap-6">
      <Form
        role="search"
        className="relative"
        onSubmit={() => {
          if (words.length > 0 && best !== undefined) navigate(best.href);
        }}
      >
        <Search
          size={18}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-3.5 my-auto text-ink-3"
        />
        <input
          ref={field}
          type="search"
          aria-label="Search senders"
          placeholder="GitHub, mail, a script of yours…"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
          className={`${INPUT} h-11 pl-10 text-16`}
        />
      </Form>
      <p role="status" className={found.length === 0 ? 'text-14 text-ink-2' : 'sr-only'}>
        {found.length === 0
          ? 'No sender of that name is known. “Anything else” takes whatever can send a POST.'
          : `${found.length} senders`}
      </p>
      {groups.map(({ kind, choices }) => (
        <section key={kind.id} aria-labelledby={`kind-${kind.id}`}>
          <h2 id={`kind-${kind.id}`} className="mb-2.5 text-14 font-semibold text-ink-2">
            {kind.title}
          </h2>
          <ul className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
            {choices.map(({ href, preset, title, description }) => (
              <li key={href} className="flex">
                <Link
                  href={href}
                  className="flex flex-1 gap-3 rounded-md border border-line-1 bg-surface-1 p-4 transition-colors hover:border-line-2 hover:bg-surface-2/50"
                >
                  <SenderMark preset={preset} title={title} kind={kind.addressKind} />
                  <span className="min-w-0">
                    <span className="block text-14 font-semibold">{title}</span>
                    <span className="mt-0.5 block text-13 text-ink-2">{description}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
