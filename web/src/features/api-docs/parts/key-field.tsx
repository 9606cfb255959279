// The reader's own key: pasted, or made for a call and no more; masked until it is revealed.
import { Eye, EyeOff, KeyRound } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { Scope } from '#core/contract/index.ts';
import { isComposing } from '../../../lib/composing.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { maskKey } from '../../../lib/key-mask.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { CopyButton } from '../../../ui/copyable.tsx';
import { updatePage, usePageState, type OwnKey } from '../data/page-state.ts';

export interface MakeKey {
  /** The call that it is for: the key is named so. */
  purpose: string;
  scopes: readonly Scope[];
}

interface KeyFieldProps {
  /** What a key that is made here may do; null where nobody is signed in who could make one. */
  make: MakeKey | null;
}

const ROW = 'flex flex-wrap items-center gap-2';

export function KeyField({ make }: KeyFieldProps) {
  const { ownKey } = usePageState();
  const { busy, problem, setProblem, run } = useAction();

  async function makeOne({ purpose, scopes }: MakeKey) {
    const { makeKey } = await import('../data/make-key.ts');
    updatePage({ ownKey: await makeKey(purpose, scopes), isRevealed: false });
  }

  async function revoke(id: string) {
    const { revokeKey } = await import('../data/make-key.ts');
    await revokeKey(id);
    updatePage({ ownKey: null });
  }

  const made = ownKey?.made;
  return (
    <div className="flex max-w-[40rem] flex-col gap-2">
      {ownKey === null ? (
        <PasteKey>
          {make === null ? null : (
            // Its text takes two lines where the page is narrow and its letters are wide.
            <Button
              className="h-auto min-h-9 shrink! py-1.5 text-balance whitespace-normal!"
              disabled={busy}
              onClick={() => void run(() => makeOne(make), problemWith('The key could not be made'))}
            >
              Make a key that may {mayDo(make.scopes)}
            </Button>
          )}
        </PasteKey>
      ) : (
        <ShownKey ownKey={ownKey}>
          {made === null || made === undefined ? null : (
            <Button
              kind="danger"
              disabled={busy}
              onClick={() => void run(() => revoke(made.id), problemWith('The key could not be revoked'))}
            >
              Revoke
            </Button>
          )}
        </ShownKey>
      )}
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
    </div>
  );
}

/** What these scopes allow, in words. */
function mayDo(scopes: readonly Scope[]): string {
  if (scopes.includes('ingest')) return 'only create tasks';
  if (scopes.length > 1) return 'read and write';
  return scopes.includes('read') ? 'only read' : 'only write';
}

function PasteKey({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  const id = useId();

  function take() {
    const key = text.trim();
    if (key !== '') updatePage({ ownKey: { key, made: null }, isRevealed: false });
  }

  return (
    <>
      <div className={ROW}>
        <input
          type="text"
          aria-label="Your API key"
          aria-describedby={id}
          placeholder="Paste your API key"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // It may stand within the form of a call, which is another.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
            event.preventDefault();
            take();
          }}
          className="h-9 min-w-0 flex-1 basis-48 rounded-sm border border-line-2 bg-surface-1 px-3 font-mono text-13 [-webkit-text-security:disc] placeholder-shown:font-sans placeholder-shown:[-webkit-text-security:none] touch:min-h-11"
        />
        <Button disabled={text.trim() === ''} onClick={take}>
          Use it
        </Button>
        {children}
      </div>
      <p id={id} className="text-13 text-ink-3">
        It goes into the commands on this page and the calls that you try. Only this page has it, until you
        leave.
      </p>
    </>
  );
}

function ShownKey({ ownKey: { key, made }, children }: { ownKey: OwnKey; children: ReactNode }) {
  const { isRevealed } = usePageState();
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <>
      <div className={ROW}>
        <div className="flex min-w-0 flex-1 basis-64 items-center gap-2 rounded-sm border border-line-1 bg-surface-2 pr-1 pl-3">
          <KeyRound size={15} aria-hidden className="shrink-0 text-ink-3" />
          <Code className="min-w-0 flex-1 py-1.5 text-13 wrap-anywhere">
            {isRevealed ? key : maskKey(key)}
          </Code>
          <button
            type="button"
            aria-label={isRevealed ? 'Hide the key' : 'Reveal the key'}
            onClick={() => updatePage({ isRevealed: !isRevealed })}
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1 touch:size-11"
          >
            <Icon size={16} aria-hidden />
          </button>
          <CopyButton text={key} label="Copy the key" />
        </div>
        <div className="flex gap-2">
          {children}
          <Button kind="quiet" onClick={() => updatePage({ ownKey: null, isRevealed: false })}>
            Remove
          </Button>
        </div>
      </div>
      <p className="text-13 text-ink-3">
        {made === null
          ? 'Your key is in the commands on this page. Copying takes all of it, also while it is masked.'
          : `Made here as “${made.name}”: it may ${mayDo(made.scopes)}. Settings lists it.`}
      </p>
    </>
  );
}
