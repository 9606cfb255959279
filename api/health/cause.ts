// Why a part does not answer, for operators: as a code or a name, without addresses, passwords or content.
import { QinboxError } from '#core/errors.ts';

const MAX_DEPTH = 5;
/** Codes of the operating system and of Node, in words. */
const IN_WORDS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
  ENOTFOUND: 'its host name is not known',
  EHOSTUNREACH: 'its host cannot be reached',
  EAI_AGAIN: 'its host name cannot be looked up',
  ENOSPC: 'the disk is full',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};
/** SQLite's result codes in words, primary and extended (https://www.sqlite.org/rescode.html). */
const SQLITE_IN_WORDS: Record<number, string> = {
  3: 'the database may not be opened',
  5: 'another program holds the database',
  8: 'the database is read-only',
  10: 'the disk does not read or write',
  11: 'the database is damaged',
  13: 'the disk is full',
  14: 'the database cannot be opened',
  26: 'the database is damaged',
  // IOERR_SHMSIZE: the index beside the log cannot grow.
  4874: 'the disk is full',
};
/** What Redis refuses with: a word in capitals before the sentence. */
const REDIS_REPLY = /^(?:NOAUTH|WRONGPASS|OOM|LOADING|READONLY|MISCONF|NOPERM|CLUSTERDOWN|MASTERDOWN)\b/;
const CODE = /^E[A-Z_]{3,30}$/;

/** Null when nothing is known that may be shown. */
export function causeOf(error: unknown): string | null {
  const found = chainOf(error).map(partOfCause);
  const [own = null, code = null] = [
    found.find((each) => each?.own)?.text,
    found.find((each) => each?.own === false)?.text,
  ];
  return own !== null && code !== null ? `${own}: ${code}` : (own ?? code);
}

interface CausePart {
  text: string;
  /** A sentence of this program, rather than a code of a driver. */
  own: boolean;
}

function partOfCause(error: Error): CausePart | null {
  const { code, codeName, errcode } = error as { code?: unknown; codeName?: unknown; errcode?: unknown };
  const known = (text: string) => ({ text, own: false });
  // What callers see already.
  if (error instanceof QinboxError) return null;
  if (typeof codeName === 'string') return known(codeName);
  if (typeof errcode === 'number') return known(sqliteCause(errcode));
  const named =
    typeof code === 'string' && CODE.test(code) ? code : /\bE[A-Z]{6,12}\b/.exec(error.message)?.[0];
  if (named !== undefined)
    return known(IN_WORDS[named] === undefined ? named : `${IN_WORDS[named]} (${named})`);
  // A call of MongoDB's client that ended because another one was refused has no code of its own.
  if (error.message.includes('Authentication failed')) return known('AuthenticationFailed');
  const reply = REDIS_REPLY.exec(error.message)?.[0];
  if (reply !== undefined) return known(`Redis says ${reply}`);
  // Drivers have classes of their own; this program throws plain ones, with a sentence for the operator.
  return error.constructor === Error ? { text: error.message, own: true } : known(error.name);
}

function sqliteCause(errcode: number): string {
  const words = SQLITE_IN_WORDS[errcode] ?? SQLITE_IN_WORDS[errcode & 0xff];
  return words === undefined ? `SQLite error ${errcode}` : `${words} (SQLite error ${errcode})`;
}

/** The error, and what caused it. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < MAX_DEPTH; each = each.cause)
    chain.push(each);
  return chain;
}
