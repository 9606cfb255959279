// The search over all pages: a dialog with a field and the sections that are found, moved through by the
// arrow keys.
import { isComposing } from '../../src/lib/composing.ts';
import { find, MOST, type Found, type IndexedPage } from './find.ts';

let dialog: HTMLDialogElement | null = null;
let pages: Promise<readonly IndexedPage[]> | null = null;

/** Shows the search, which is made and whose index is fetched the first time. */
export function openSearch(): void {
  dialog ??= makeDialog();
  if (dialog.open) return;
  dialog.showModal();
  dialog.querySelector('input')?.select();
}

function loadPages(): Promise<readonly IndexedPage[]> {
  pages ??= fetch(document.body.dataset['search'] ?? '').then(async (answer) => {
    if (!answer.ok) throw new Error(`the index was answered with ${answer.status}`);
    return (await answer.json()) as readonly IndexedPage[];
  });
  // After a failure the next letter tries again.
  pages.catch(() => (pages = null));
  return pages;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function makeDialog(): HTMLDialogElement {
  const field = element('input', {
    type: 'text',
    inputmode: 'search',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-controls': 'found',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    placeholder: 'Search the documentation',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  });
  const close = element('button', { type: 'button' }, 'Close');
  const status = element('p', { role: 'status' }, 'Type a few words.');
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Sections' });
  const made = element(
    'dialog',
    { class: 'find', 'aria-label': 'Search' },
    element('div', {}, field, close),
    status,
    list,
  );
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  let at = 0;

  function choose(next: number): void {
    const all = options();
    if (all.length === 0) return field.removeAttribute('aria-activedescendant');
    at = (next + all.length) % all.length;
    for (const [index, option] of all.entries()) option.ariaSelected = String(index === at);
    field.setAttribute('aria-activedescendant', all[at]?.id ?? '');
    all[at]?.scrollIntoView({ block: 'nearest' });
  }

  async function search(): Promise<void> {
    const asked = field.value;
    try {
      const found = find(await loadPages(), asked);
      // Meanwhile something else was typed.
      if (asked !== field.value) return;
      list.replaceChildren(...found.map(row));
      field.setAttribute('aria-expanded', String(found.length > 0));
      status.textContent = wordsFor(asked, found.length);
      choose(0);
    } catch {
      status.textContent = 'The search could not be loaded. Look at your connection, and type on.';
    }
  }

  field.addEventListener('input', () => void search());
  field.addEventListener('keydown', (event) => {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown') choose(at + 1);
    else if (event.key === 'ArrowUp') choose(at - 1);
    else if (event.key === 'Enter') options()[at]?.click();
    else return;
    event.preventDefault();
  });
  close.addEventListener('click', () => made.close());
  made.addEventListener('click', (event) => {
    // Beside the dialog, or on a section of this very page.
    if (event.target === made || (event.target as Element).closest('a') !== null) made.close();
  });
  document.body.append(made);
  void loadPages().catch(() => undefined);
  return made;
}

function wordsFor(asked: string, count: number): string {
  if (asked.trim() === '') return 'Type a few words.';
  if (count === 0) return `Nothing has all of these words: ${asked.trim()}`;
  if (count === MOST) return `The best ${MOST} sections`;
  return count === 1 ? '1 section' : `${count} sections`;
}

function row({ address, page, heading, excerpt }: Found, index: number): HTMLElement {
  const title =
    heading === page ? [page] : [page, element('span', { 'aria-hidden': 'true' }, ' › '), heading];
  const text = excerpt.map((piece) => (piece.mark ? element('mark', {}, piece.text) : piece.text));
  return element(
    'li',
    { role: 'presentation' },
    element(
      'a',
      { href: address, id: `found-${index}`, role: 'option', tabindex: '-1', 'aria-selected': 'false' },
      element('strong', {}, ...title),
      element('span', {}, ...text),
    ),
  );
}
