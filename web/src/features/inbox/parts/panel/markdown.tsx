// Text with markdown: emphasis, code, lists, quotes and links. It comes from outside, so that only these
// become elements, made by React: markup stays text, a picture becomes a link, other addresses than http and
// https too.
import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { Fragment, useMemo, type ReactNode } from 'react';
import { linkify, safeHref } from '../../../../lib/linkify.ts';
import { Code } from '../../../../ui/code.tsx';
import { LinkedText } from '../linked-text.tsx';

const none = () => undefined;

/** What is no markdown here. */
const SWITCHED_OFF = {
  // As mails are written: a line of dashes under text is a signature or a rule, and makes no heading of it.
  lheading: none,
  // Indented text is a quotation or a table more often than a program.
  code: none,
  html: none,
  tag: none,
  def: none,
  // Addresses in text are found as everywhere else.
  url: none,
};

// What scrolls must be reachable by keyboard.
const SCROLLS = { tabIndex: 0, role: 'group' } as const;

export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => tokensOf(text), [text]);
  return (
    <div className="flex flex-col gap-2.5 text-14 wrap-anywhere">
      {tokens === null ? (
        <p className="whitespace-pre-wrap">
          <LinkedText parts={linkify(text)} />
        </p>
      ) : (
        draw(tokens, block)
      )}
    </div>
  );
}

/** Deeper than any letter that people write: a list in a quote in a list, and so on. */
const DEEPEST = 24;

/** Null for a text that is nested so deeply that it is better shown as it is. */
function tokensOf(text: string): readonly Token[] | null {
  try {
    const tokens = new Lexer({
      gfm: true,
      breaks: true,
      tokenizer: Object.assign(new Tokenizer(), SWITCHED_OFF),
    }).lex(text);
    return isDeeper(tokens, DEEPEST) ? null : tokens;
  } catch {
    // Thousands of levels exceed the stack.
    return null;
  }
}

function isDeeper(tokens: readonly Token[], levels: number): boolean {
  if (levels === 0) return true;
  return tokens.some((token) => {
    const own = 'tokens' in token ? token.tokens : undefined;
    const inner = token.type === 'list' ? (token as Tokens.List).items : (own ?? []);
    return inner.length > 0 && isDeeper(inner, levels - 1);
  });
}

function draw(tokens: readonly Token[] | undefined, one: (token: Token) => ReactNode): ReactNode {
  return tokens?.map((token, index) => <Fragment key={index}>{one(token)}</Fragment>);
}

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <p className="font-semibold">{draw(token.tokens, inline)}</p>;
    case 'paragraph':
      return <p className="whitespace-pre-wrap">{draw(token.tokens, inline)}</p>;
    case 'code':
      return <Preformatted text={(token as Tokens.Code).text} />;
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2.5 border-l-2 border-line-2 pl-3 text-ink-2">
          {draw(token.tokens, block)}
        </blockquote>
      );
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'hr':
      return <hr className="border-line-1" />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'checkbox':
      return <TickBox isTicked={(token as Tokens.Checkbox).checked} />;
    case 'text':
      // Of a list item without an empty line.
      return (
        <span className="whitespace-pre-wrap">{token.tokens ? draw(token.tokens, inline) : token.raw}</span>
      );
    default:
      return <p className="whitespace-pre-wrap">{token.raw}</p>;
  }
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{draw(token.tokens, inline)}</strong>;
    case 'em':
      return <em>{draw(token.tokens, inline)}</em>;
    case 'del':
      return <del>{draw(token.tokens, inline)}</del>;
    case 'codespan':
      return (
        <Code className="rounded-[4px] bg-surface-3 px-1 text-13">{(token as Tokens.Codespan).text}</Code>
      );
    case 'br':
      return <br />;
    case 'link':
    case 'image':
      return <Link link={token as Tokens.Link | Tokens.Image} />;
    case 'checkbox':
      // In the first paragraph of a list item with empty lines.
      return <TickBox isTicked={(token as Tokens.Checkbox).checked} />;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return token.tokens ? (
        draw(token.tokens, inline)
      ) : (
        <LinkedText parts={linkify((token as Tokens.Text).raw)} />
      );
    default:
      return token.raw;
  }
}

function Link({ link }: { link: Tokens.Link | Tokens.Image }) {
  const href = safeHref(link.href);
  if (href === null) return link.raw;
  const label = link.type === 'image' ? link.text : draw(link.tokens, inline);
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      data-hint={href}
      className="text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent"
    >
      {label === '' ? href : label}
    </a>
  );
}

function List({ list: { ordered, start, items } }: { list: Tokens.List }) {
  const Kind = ordered ? 'ol' : 'ul';
  return (
    <Kind
      {...(ordered && typeof start === 'number' ? { start } : {})}
      className={`flex flex-col gap-1 pl-5 ${ordered ? 'list-decimal' : 'list-disc'}`}
    >
      {items.map((item, index) => (
        <li key={index} className={item.task ? 'list-none' : undefined}>
          {draw(item.tokens, block)}
        </li>
      ))}
    </Kind>
  );
}

/** The box of a list item, which nobody can press: it is part of the text. */
function TickBox({ isTicked }: { isTicked: boolean }) {
  return (
    <span role="img" aria-label={isTicked ? 'done' : 'open'} className="mr-1.5">
      {isTicked ? '☑' : '☐'}
    </span>
  );
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <div {...SCROLLS} aria-label="Table" className="overflow-x-auto">
      <table className="text-13">
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} className="border-b border-line-2 py-1 pr-4 text-left font-medium">
                {draw(cell.tokens, inline)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} className="border-b border-line-1 py-1 pr-4 align-top">
                  {draw(cell.tokens, inline)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Preformatted({ text }: { text: string }) {
  return (
    <pre
      translate="no"
      {...SCROLLS}
      aria-label="Code"
      className="overflow-x-auto rounded-sm bg-surface-2 px-3 py-2 font-mono text-13"
    >
      {text}
    </pre>
  );
}
