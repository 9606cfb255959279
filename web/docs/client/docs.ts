// What the pages of the documentation do beyond being read: copy buttons, the heading that is being read, and
// the search, whose code and index come with its first use.
import { copyText } from '../../src/lib/clipboard.ts';
import './docs.css';

const CONFIRM_MS = 2000;

addCopyButtons();
freeWhatDoesNotScroll();
markHeadings();
showThisPage();
listenForSearch();

function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    label(button, 'Copy');
    button.addEventListener('click', () => void copy(block, button));
    block.append(button);
  }
}

function label(button: HTMLElement, text: 'Copy' | 'Copied'): void {
  button.textContent = text;
  button.ariaLabel = text === 'Copy' ? 'Copy this code' : text;
}

async function copy(block: HTMLElement, button: HTMLElement): Promise<void> {
  const pre = block.querySelector('pre');
  if (await copyText(commandsOf(pre?.textContent ?? '', pre?.dataset['language']))) {
    label(button, 'Copied');
    setTimeout(() => label(button, 'Copy'), CONFIRM_MS);
  } else if (pre !== null) getSelection()?.selectAllChildren(pre);
}

/** Of a session at a terminal, what was typed. */
function commandsOf(code: string, language: string | undefined): string {
  if (language !== 'console') return code.replace(/\n$/, '');
  return code
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2))
    .join('\n');
}

// Keys stop at what scrolls, and at nothing else.
function freeWhatDoesNotScroll(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code pre, .table')) {
    const observer = new ResizeObserver(() => {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute('tabindex');
    });
    observer.observe(block);
  }
}

/** Marks the entry of the heading that was scrolled by last. */
function markHeadings(): void {
  const entries = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.toc a')].map((link) => [link.hash.slice(1), link]),
  );
  const headings = [...document.querySelectorAll<HTMLElement>('article :is(h2, h3)')];
  if (entries.size === 0) return;
  const mark = () => {
    const line = innerHeight / 4;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < line);
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    // At the end the place that was asked for may be far below the line.
    const asked = headings.find(({ id }) => `#${id}` === location.hash);
    const isShown = asked !== undefined && asked.getBoundingClientRect().top >= 0;
    const here = isAtEnd ? (isShown ? asked : headings.at(-1)) : passed.at(-1);
    for (const [id, link] of entries)
      if (id === here?.id) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
  };
  let waiting = false;
  addEventListener(
    'scroll',
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** The entry of this page, where the list of pages is longer than the window. */
function showThisPage(): void {
  const list = document.querySelector<HTMLElement>('.pages');
  const entry = list?.querySelector<HTMLElement>('[aria-current]');
  if (!list || !entry) return;
  const show = () => (list.scrollTop = entry.offsetTop - list.clientHeight / 2);
  if (entry.offsetTop > list.clientHeight) show();
  list.addEventListener('toggle', show);
}

function listenForSearch(): void {
  const button = document.querySelector('header .search');
  const open = () => void import('./search.ts').then(({ openSearch }) => openSearch());
  button?.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!isSlash && !isPalette) return;
    event.preventDefault();
    open();
  });
}
