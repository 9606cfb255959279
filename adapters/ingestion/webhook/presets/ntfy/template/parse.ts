// Parses Go templates, as far as messages of ntfy use them. https://pkg.go.dev/text/template
// What loads or defines other templates is not known, as at ntfy.

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'output'; pipe: Pipe }
  | { kind: 'branch'; of: BranchName; pipe: Pipe; body: Node[]; other: Node[] }
  | { kind: 'break' | 'continue' };

type BranchName = 'if' | 'with' | 'range';

/** Each command is given the result of the one before. */
export interface Pipe {
  /** Variables that the result is given to. */
  names: readonly string[];
  commands: readonly (readonly Operand[])[];
}

export type Operand =
  | { kind: 'value'; value: unknown }
  /** `.a.b`, or `$name.a.b` of a variable; `$` alone is the whole payload. */
  | { kind: 'field'; variable: string | null; path: readonly string[] }
  | { kind: 'pipe'; pipe: Pipe; path: readonly string[] }
  | { kind: 'function'; name: string };

/** Why a template is not carried out. Never shown: it may quote the payload. */
export class TemplateFault extends Error {}

const MAX_DEPTH = 20;

type Piece = { kind: 'text'; text: string } | { kind: 'action'; tokens: string[] };

/** Throws TemplateFault. Linear in the template's length. */
export function parseTemplate(template: string): Node[] {
  const pieces = piecesOf(template);
  const list = parseList(pieces, 0);
  if (pieces.length > 0) throw new TemplateFault('end without its beginning');
  return list;
}

function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const text = template.slice(at, open === -1 ? undefined : open);
    const trimsEnd = open !== -1 && /^-\s/.test(template.slice(open + 2, open + 4));
    const shown = trims ? text.trimStart() : text;
    pieces.push({ kind: 'text', text: trimsEnd ? shown.trimEnd() : shown });
    if (open === -1) break;
    const from = open + (trimsEnd ? 3 : 2);
    const close = actionEnd(template, from);
    const inside = template.slice(from, close);
    trims = /\s-$/.test(inside);
    const action = (trims ? inside.slice(0, -1) : inside).trim();
    if (!action.startsWith('/*')) pieces.push({ kind: 'action', tokens: tokensOf(action) });
    at = close + 2;
  }
  return pieces;
}

/** Where the action ends: a text in it may have braces. */
function actionEnd(template: string, from: number): number {
  let quote = '';
  for (let at = from; at < template.length; at++) {
    const character = template.charAt(at);
    if (quote === '') {
      if (template.startsWith('}}', at)) return at;
      if (character === '"' || character === '`') quote = character;
    } else if (character === '\\' && quote === '"') at++;
    else if (character === quote) quote = '';
  }
  throw new TemplateFault('an action does not end');
}

const TOKEN =
  /\s+|"(?:[^"\\\n]|\\.)*"|`[^`]*`|:=|[=,|(]|\)(?:\.[\p{L}\p{N}_]+)*|\$[\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*|(?:\.[\p{L}\p{N}_]+)+|\.|-?\d+(?:\.\d+)?|[\p{L}_][\p{L}\p{N}_]*/uy;

function tokensOf(action: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < action.length) {
    const found = TOKEN.exec(action)?.[0];
    if (found === undefined) throw new TemplateFault('an action cannot be read');
    if (found.trim() !== '') tokens.push(found);
  }
  return tokens;
}

/** Up to the `end` or `else` that closes the list, which stays. */
function parseList(pieces: Piece[], depth: number): Node[] {
  if (depth > MAX_DEPTH) throw new TemplateFault('nested too deep');
  const nodes: Node[] = [];
  for (;;) {
    const piece = pieces[0];
    if (piece === undefined) return nodes;
    const [word = ''] = piece.kind === 'action' ? piece.tokens : [];
    if (word === 'end' || word === 'else') return nodes;
    pieces.shift();
    if (piece.kind === 'text') nodes.push(piece);
    else if (word === 'if' || word === 'with' || word === 'range')
      nodes.push(parseBranch(word, piece.tokens.slice(1), pieces, depth + 1));
    else if (word === 'break' || word === 'continue') nodes.push({ kind: word });
    else if (['define', 'template', 'block', 'call'].includes(word))
      throw new TemplateFault('other templates are not known');
    else nodes.push({ kind: 'output', pipe: parsePipe(piece.tokens) });
  }
}

function parseBranch(of: BranchName, tokens: string[], pieces: Piece[], depth: number): Node {
  const pipe = parsePipe(tokens);
  const body = parseList(pieces, depth);
  const next = pieces.shift();
  if (next?.kind !== 'action') throw new TemplateFault('a branch does not end');
  const [word, again] = next.tokens;
  if (word === 'end') return { kind: 'branch', of, pipe, body, other: [] };
  // `else if` shares its end.
  if (again === 'if' || again === 'with')
    return {
      kind: 'branch',
      of,
      pipe,
      body,
      other: [parseBranch(again, next.tokens.slice(2), pieces, depth + 1)],
    };
  const other = parseList(pieces, depth);
  const end = pieces.shift();
  if (end?.kind !== 'action' || end.tokens[0] !== 'end') throw new TemplateFault('a branch does not end');
  return { kind: 'branch', of, pipe, body, other };
}

function parsePipe(tokens: string[]): Pipe {
  const rest = [...tokens];
  const pipe = pipeOf(rest, 0);
  if (rest.length > 0) throw new TemplateFault('too many brackets');
  return pipe;
}

function pipeOf(tokens: string[], depth: number): Pipe {
  if (depth > MAX_DEPTH) throw new TemplateFault('nested too deep');
  const names: string[] = [];
  const sign = tokens.findIndex((token) => token === ':=' || token === '=');
  if (sign === 1 || (sign === 3 && tokens[1] === ',')) {
    names.push(...tokens.splice(0, sign + 1).filter((token) => /^\$[\p{L}\p{N}_]+$/u.test(token)));
    if (names.length !== (sign + 1) / 2) throw new TemplateFault('a variable has no name');
  }
  const commands: Operand[][] = [[]];
  while (tokens.length > 0 && !(tokens[0] ?? '').startsWith(')')) {
    const token = tokens.shift() ?? '';
    if (token === '|') commands.push([]);
    else commands.at(-1)?.push(token === '(' ? bracketOf(tokens, depth + 1) : operandOf(token));
  }
  if (commands.some((command) => command.length === 0)) throw new TemplateFault('a command is missing');
  return { names, commands };
}

function bracketOf(tokens: string[], depth: number): Operand {
  const pipe = pipeOf(tokens, depth);
  const close = tokens.shift();
  if (close === undefined) throw new TemplateFault('a bracket does not end');
  return { kind: 'pipe', pipe, path: close.split('.').slice(1) };
}

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, nil: null };

function operandOf(token: string): Operand {
  const value = (given: unknown): Operand => ({ kind: 'value', value: given });
  if (token.startsWith('"')) return value(unquoted(token));
  if (token.startsWith('`')) return value(token.slice(1, -1));
  if (/^-?\d/.test(token)) return value(Number(token));
  if (Object.hasOwn(WORDS, token)) return value(WORDS[token]);
  const [first = '', ...path] = token.split('.');
  if (token === '.') return { kind: 'field', variable: null, path: [] };
  if (first === '' || first.startsWith('$'))
    return { kind: 'field', variable: first === '' ? null : first, path };
  if (!/^[\p{L}_]/u.test(token)) throw new TemplateFault('an action cannot be read');
  return { kind: 'function', name: token };
}

function unquoted(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw new TemplateFault('a text cannot be read');
  }
}
