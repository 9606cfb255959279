// Takes the content of `data:` URLs (RFC 2397) out of a text: pictures and other files inside of HTML, of
// which no text is made, and which would leave no room for the text after them. Linear in the length.

/** The beginning of one, with the quotation mark before it. */
const BEGIN = /(["']?)data:(?:[a-z]{1,20}\/[\w.+-]{1,80})?[;,]/gi;
/** What ends one without quotation marks. */
const END = /[\s"'<>()[\]&]/g;
/** Shorter ones stay. */
const MAX_CHARS = 200;

/** The text with `...` for the content of `data:` URLs that are longer than 200 characters. */
export function withoutDataUrls(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: start, 1: quote = '', index } of text.matchAll(BEGIN)) {
    const begin = index + start.length;
    if (begin < from) continue;
    const end = endOf(text, quote, begin);
    if (end - begin <= MAX_CHARS) continue;
    pieces.push(text.slice(from, begin), '...');
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

/** Between quotation marks there may be anything, line ends as well. */
function endOf(text: string, quote: string, begin: number): number {
  const closing = quote === '' ? -1 : text.indexOf(quote, begin);
  if (closing !== -1) return closing;
  END.lastIndex = begin;
  return END.exec(text)?.index ?? text.length;
}
