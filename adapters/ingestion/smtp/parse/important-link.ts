// The link that a mail is about, of those that only its HTML has: the one that is left once those of a footer
// are taken away, else the one button, else the one that views or confirms something. Of several there is
// none: a newsletter is about nothing in particular.
import type { PageLink } from '#core/text/html-page.ts';
import { sameAddress } from '#core/text/html-tags.ts';

/** Links of footers, by their words or their address. */
const ASIDE =
  /unsubscri|opt[-_ ]?out|preferences|notification settings|abmelden|abbestell|austragen|einstellungen|d[eé]sabonn|d[eé]sinscri|privacy|datenschutz|confidentialit|imprint|impressum|mentions l[eé]gales|\bterms\b|\bagb\b|cookie|\bhelp\b|support|\bfaq\b|hilfe|contact|kontakt|view (?:it |this |the )?(?:e-?mail |message )?in (?:your |a )?(?:web )?browser|im browser/i;
/** What a link is called that leads to the thing itself, beside those that do something to it. */
const CALL =
  /^(?:view|open|show|see|go to|review|confirm|verify|read|join|ansehen|anzeigen|öffnen|bestätigen|zum|zur|voir|ouvrir|confirmer|ver|abrir)\b/iu;
const SOCIAL =
  /^https?:\/\/(?:[\w-]+\.)*(?:facebook|instagram|linkedin|pinterest|threads|tiktok|twitter|x|youtube|apps\.apple|play\.google)\.(?:com|net)\//i;

/** Empty for none. `isList`: of a mailing list or a newsletter, where a button is one of many. */
export function importantLink(links: readonly PageLink[], isList: boolean): string {
  const pages = links.filter(({ url }) => /^https?:/i.test(url) && URL.canParse(url));
  // A logo leads home, and so does an address in a signature.
  const isHome = ({ url, label }: PageLink) =>
    pathOf(url) === '/' && (label === '' || sameAddress(label, url));
  const main = pages.filter(
    (link) =>
      !ASIDE.test(link.label) && !ASIDE.test(pathOf(link.url)) && !SOCIAL.test(link.url) && !isHome(link),
  );
  const inner = main.filter(({ url, label }) => label !== '' && pathOf(url) !== '/');
  const buttons = isList ? [] : main.filter(({ isButton }) => isButton);
  const calls = isList ? [] : inner.filter(({ label }) => CALL.test(label));
  return only(main) || only(inner) || only(buttons) || only(calls);
}

function only(links: readonly PageLink[]): string {
  const [first] = links;
  return first !== undefined && links.every(({ url }) => url === first.url) ? first.url : '';
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}
