// Finds sections of the documentation by words. Each word must be there; where it is decides the order.

export interface IndexedPage {
  address: string;
  title: string;
  group: string | null;
  sections: [id: string, heading: string, text: string][];
}

export interface Found {
  address: string;
  page: string;
  heading: string;
  /** A part of the text around the first word; `mark`ed pieces are words that were asked for. */
  excerpt: { text: string; mark: boolean }[];
  score: number;
}

/** Sections in one answer. */
export const MOST = 24;
const BEFORE = 40;
const EXCERPT = 150;

/** The best sections for what was asked, the best first. */
export function find(pages: readonly IndexedPage[], asked: string): Found[] {
  const words = [
    ...new Set(
      asked
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ];
  if (words.length === 0) return [];
  return pages
    .flatMap((page) =>
      page.sections.flatMap(([id, heading, text], at): Found[] => {
        const score = scoreOf({ page, heading, text, isFirst: at === 0 }, words);
        if (score === 0) return [];
        const address = at === 0 ? page.address : `${page.address}#${id}`;
        return [
          {
            address,
            page: page.title,
            heading: at === 0 ? page.title : heading,
            excerpt: excerptOf(text, words),
            score,
          },
        ];
      }),
    )
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST);
}

interface Place {
  page: IndexedPage;
  heading: string;
  text: string;
  isFirst: boolean;
}

/** 0 where a word is missing. */
function scoreOf({ page, heading, text, isFirst }: Place, words: readonly string[]): number {
  const title = page.title.toLowerCase();
  const name = heading.toLowerCase();
  const body = text.toLowerCase();
  let score = 0;
  let isHere = false;
  for (const word of words) {
    const inName = rank(name, word) * 8;
    const inBody = rank(body, word);
    // The title counts for all sections of a page, but finds only the first by itself.
    const inTitle = rank(title, word) * (isFirst ? 12 : 2);
    if (inName + inBody + inTitle === 0) return 0;
    isHere ||= inName + inBody > 0 || isFirst;
    score += inName + inBody + inTitle;
  }
  return isHere ? score : 0;
}

/** 3 for a whole word, 2 for the beginning of one, 1 inside of one, 0 for none. */
function rank(text: string, word: string): number {
  let best = 0;
  for (let at = text.indexOf(word); at !== -1 && best < 3; at = text.indexOf(word, at + 1)) {
    const begins = !isLetter(text[at - 1]);
    const ends = !isLetter(text[at + word.length]);
    best = Math.max(best, begins && ends ? 3 : begins ? 2 : 1);
  }
  return best;
}

const isLetter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

function excerptOf(text: string, words: readonly string[]): Found['excerpt'] {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const end = from + EXCERPT < text.length ? text.lastIndexOf(' ', from + EXCERPT) : text.length;
  const part = text.slice(from, end);
  const pattern = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pieces = part.split(new RegExp(`(${pattern.join('|')})`, 'i'));
  return [
    ...(from > 0 ? [{ text: '… ', mark: false }] : []),
    ...pieces
      .map((piece, index) => ({ text: piece, mark: index % 2 === 1 }))
      .filter((piece) => piece.text !== ''),
    ...(end < text.length ? [{ text: ' …', mark: false }] : []),
  ];
}
