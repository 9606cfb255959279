// What somebody wrote in a mail, apart from what mail programs put around it: quoted replies, signatures, "Sent from my phone",
// list footers, disclaimers. Pure; looks at each line a fixed number of times. When in doubt a line stays: nothing is lost, for
// what is folded away is returned as well.

export interface FoldedText {
  /** What its writer said; all of the text when nothing else would be left. */
  text: string;
  /** What was folded away, in its order; empty for nothing. */
  folded: string;
}

export interface FoldOptions {
  /** Whether the subject says that it is forwarded: false unless given. */
  forwarded?: boolean;
  /** Whether it may answer a mail: true unless given. If not, what is quoted at its end without a word about whose it is stays. */
  reply?: boolean;
  /** Whether the mail says more than this text (another mail inside of it), so that a signature alone is nothing: false unless given. */
  hasOtherText?: boolean;
  /** Called with the number of steps that are about to be taken; may throw to stop. */
  charge?: (steps: number) => void;
}

/** Said in one line by phones and programs about themselves. */
const SENT_FROM = new RegExp(
  '^(?:' +
    [
      'sent (?:from|with|via) (?:my|mail for|outlook|yahoo|proton|a |the |spark|samsung|gmail|aol|airmail|superhuman|hey)',
      'get outlook for ',
      'sent using ',
      'von mein(?:em|er) .{1,40} gesendet',
      'gesendet (?:von|mit|über|aus) ',
      'diese nachricht wurde von mein',
      'envoyé (?:de|depuis|à partir d) ?',
      'enviado (?:desde|do|de|a partir) ',
      'obtener outlook para ',
      'télécharger outlook pour ',
      'outlook für (?:ios|android)',
      'holen sie sich outlook',
      'inviato (?:da|dal) ',
      'verzonden (?:vanaf|met|vanuit) ',
      'verstuurd vanaf ',
      'skickat från ',
      'sendt fra ',
      'lähetetty ',
      'wysłan[eo] z ',
      'odesláno z',
      'отправлено (?:с|из|от) ',
      'надіслано з ',
      'iphoneから送信',
      '发自我的',
      '從我的',
      '나의 .{1,20}에서 보냄',
      "iphone'?umdan gönderildi",
    ].join('|') +
    ')',
  'iu',
);

/** Line before a quotation, in one piece: who wrote when. */
const WROTE = new RegExp(
  '(?:写道|寫道|のメール|님이 작성|(?:^|[\\s,>])(?:' +
    [
      'wrote',
      'writes',
      'schrieb(?: .{1,100})?',
      'a écrit',
      'ha scritto',
      'escribió',
      'escreveu',
      'schreef(?: .{1,100})?',
      'skrev(?: .{1,100})?',
      'kirjoitti',
      'napisał(?:\\(a\\)|a)?',
      'napsal(?:\\(a\\)|a)?',
      'написал(?:\\(а\\)|а)?',
      'пишет',
      'пише',
      'yazdı',
      'írta',
      'a scris',
    ].join('|') +
    '))\\s?[:：]\\s*$',
  'iu',
);
/** How such a line begins, so that a sentence that ends in "wrote:" is not one; or it names an address. */
const WROTE_START =
  /^(?:-{2,}\s?on |on |am |le |el |il |em |op |den |dnia |w dniu |dne |em |\d|[\p{Lu}][\p{L}]{1,9},? |在|от |сб|пн|вт|ср|чт|пт|вс|на |.{0,80}<[^<>\s]{3,100}>|.{0,80}\d{1,2}[:.]\d{2})/iu;

const ORIGINAL =
  /^[-_\s*]{2,}\s*(?:original message|original appointment|reply message|ursprüngliche (?:nachricht|mail)|originalnachricht|message d'origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig (?:meddelelse|besked)|ursprungligt meddelande|originalmeddelande|opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna|původní zpráva|исходное сообщение|оригинальное сообщение|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지)\s*[-_\s*]{2,}$/iu;

const FORWARDED =
  /^(?:[-_\s*]{2,}\s*(?:forwarded (?:message|by .{1,80})|weitergeleitete (?:nachricht|mail)|message transféré|mensaje reenviado|mensagem (?:reencaminhada|encaminhada)|messaggio (?:inoltrato|forwarded)|doorgestuurd bericht|videresendt meddelelse|vidarebefordrat meddelande|videresendt melding|przekazana wiadomość|přeposlaná zpráva|пересылаемое сообщение|пересланное сообщение|iletilen mesaj|转发的邮件|轉寄郵件|転送されたメッセージ|전달된 메시지)\s*[-_\s*]{2,}|begin forwarded message:|anfang der weitergeleiteten (?:nachricht|e-?mail):|début du message (?:réexpédié|transféré) ?:|inicio del mensaje reenviado:|inizio messaggio inoltrato:|begin doorgestuurd bericht:)$/iu;

/** Names of header lines as programs write them above a quoted mail. */
const HEADER_LINE =
  /^[>\s]*\*?(from|von|de|da|van|fra|från|od|от|发件人|寄件者|差出人|보낸 사람|lähettäjä|sent|gesendet|envoyé|enviado(?: el)?|enviada em|inviato|verzonden|sendt|skickat|wysłano|odesláno|отправлено|发送时间|送信日時|date|datum|fecha|data|dato|дата|日期|to|an|à|para|a|aan|til|till|do|komu|кому|收件人|宛先|cc|kopie|copie|subject|betreff|objet|asunto|assunto|oggetto|onderwerp|emne|ämne|temat|předmět|тема|主题|主旨|件名|제목|aihe|reply-to|importance)\s?\*?\s?[:：]\*?(?:\s|$)/iu;
const FROM_LINE =
  /^[>\s]*\*?(?:from|von|de|da|van|fra|från|od|от|发件人|寄件者|差出人|보낸 사람|lähettäjä)\s?\*?\s?[:：]\*?\s*(.{1,200})$/iu;
const SUBJECT_LINE =
  /^[>\s]*\*?(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|emne|ämne|temat|předmět|тема|主题|主旨|件名|제목|aihe)\s?\*?\s?[:：]\*?\s*(.{1,200})$/iu;

const FOOTER =
  /^(?:_{20,}$|you (?:received|are receiving) this (?:message|e-?mail|mail) because|to unsubscribe|unsubscribe|.{0,60}\bto unsubscribe (?:from|send|go|,|click|follow)|sie erhalten diese (?:nachricht|e-?mail)|(?:confidentiality|legal) notice|disclaimer\b|this (?:e-?mail|message)(?: and any.{1,60})? (?:is|are|may be|contains?|may contain)(?: \w+){0,4} (?:confidential|intended|privileged)|the information (?:contained )?in this (?:e-?mail|message)|diese (?:e-?mail|nachricht) (?:ist|enthält|kann) .{0,40}vertraulich|ce (?:message|courriel).{0,60}confidentiel|please consider the environment|bitte prüfen sie.{0,40}umwelt|-----begin pgp signature-----|mailing list$)/iu;

const MAX_LINES = 20_000;
/** Mails that were forwarded one in the other and are still taken apart. */
const MAX_FORWARDS = 5;
/** What is longer is no signature or footer. */
const MAX_FOOTER_LINES = 80;
/** Twice what a task may say; nobody reads on. */
const MAX_KEPT_CHARS = 20_000;

/**
 * Parts a mail's plain text. `forwarded` keeps what follows a forwarder's separator even where it looks like a reply's, for a
 * mail whose subject says that it is one. Reads the first 20,000 lines or characters.
 */
export function foldReply(
  text: string,
  { forwarded = false, reply = true, hasOtherText = false, charge }: FoldOptions = {},
): FoldedText {
  const lines = text.split('\n', MAX_LINES);
  charge?.(lines.length);
  const kept: string[] = [];
  const folded: string[] = [];
  let at = 0;
  let chars = 0;
  let forwards = 0;
  while (at < lines.length && chars < MAX_KEPT_CHARS) {
    const line = lines[at] ?? '';
    const bare = line.trim();
    chars += line.length;
    if (bare === '') {
      if (kept.length > 0) kept.push(line);
    } else if (isForwardMark(bare)) {
      if (++forwards <= MAX_FORWARDS) unquote(lines, at + 1);
      at = forwardHeading(lines, at + 1, kept);
      continue;
    } else if (isOriginalMark(bare) || isHeaderBlock(lines, at)) {
      if (forwarded) {
        at = forwardHeading(lines, isOriginalMark(bare) ? at + 1 : at, kept);
        continue;
      }
      if (dropSeparator(kept)) folded.push('———');
      folded.push(...lines.slice(at));
      break;
    } else if (isQuote(bare) || quoteIntroLength(lines, at) > 0) {
      at = foldQuote(lines, at, kept, folded, reply);
      continue;
    } else if ((kept.length > 0 || hasOtherText) && isSignature(line, lines, at)) {
      at = foldSignature(lines, at, folded);
      continue;
    } else if (kept.length > 0 && isFooter(lines, at, bare)) {
      folded.push(...lines.slice(at));
      break;
    } else kept.push(line);
    at++;
  }
  const fresh = trimBlank(kept);
  // A mail of nothing but quotation is what its sender wanted to show.
  if (fresh === '' && !hasOtherText) return { text: trimBlank(lines), folded: '' };
  return { text: fresh, folded: trimBlank(folded) };
}

function isForwardMark(bare: string): boolean {
  return bare.length < 120 && FORWARDED.test(bare.replace(/^>\s?/, ''));
}

function isOriginalMark(bare: string): boolean {
  return bare.length < 120 && ORIGINAL.test(bare);
}

function isQuote(bare: string): boolean {
  return bare.startsWith('>') && !bare.startsWith('>>>>>>>');
}

// "On Friday, Jo wrote:" may be wrapped over three lines; something quoted, or nothing at all, has to follow.
function quoteIntroLength(lines: readonly string[], at: number): number {
  const first = (lines[at] ?? '').trim();
  if (first.length > 200 || !WROTE_START.test(first)) return 0;
  let joined = first;
  for (let length = 1; length <= 3; length++) {
    if (joined.length > 300) return 0;
    if (WROTE.test(joined)) {
      return followsQuote(lines, at + length) || namesMoment(joined) ? length : 0;
    }
    const next = (lines[at + length] ?? '').trim();
    if (next === '' || isQuote(next)) return 0;
    joined += ` ${next}`;
  }
  return 0;
}

function followsQuote(lines: readonly string[], at: number): boolean {
  for (let next = at; next < Math.min(at + 3, lines.length); next++) {
    const bare = (lines[next] ?? '').trim();
    if (bare !== '') return isQuote(bare) || isHeaderBlock(lines, next);
  }
  return false;
}

// Date and address, or date and time: no sentence has both before "wrote:".
function namesMoment(intro: string): boolean {
  return /\d{1,2}[:.]\d{2}|\d{4}/.test(intro) && (/@/.test(intro) || /\d{1,2}[:.]\d{2}/.test(intro));
}

/**
 * A quotation at the end is folded away; one in the middle stays if it is short, for what follows answers it, and keeps its
 * first lines otherwise. Returns the line behind it.
 */
function foldQuote(
  lines: readonly string[],
  at: number,
  kept: string[],
  folded: string[],
  reply: boolean,
): number {
  const intro = quoteIntroLength(lines, at);
  let end = at + intro;
  let lastQuoted = end;
  let marked = false;
  for (; end < lines.length; end++) {
    const bare = (lines[end] ?? '').trim();
    if (isQuote(bare)) {
      lastQuoted = end + 1;
      marked = true;
    } else if (bare !== '') break;
  }
  // Without marks everything behind the introduction is the quotation.
  if (intro === 0 && !reply) {
    kept.push(...lines.slice(at, lastQuoted));
    return lastQuoted;
  }
  if (!marked || end >= lines.length) {
    folded.push(...lines.slice(at));
    return lines.length;
  }
  const quoted = lines.slice(at + intro, lastQuoted);
  if (kept.length === 0 || quoted.length > 6) {
    folded.push(...lines.slice(at, lastQuoted), '');
    if (kept.length > 0) kept.push(...quoted.slice(0, 2), '> […]');
  } else kept.push(...quoted);
  return lastQuoted;
}

function isSignature(line: string, lines: readonly string[], at: number): boolean {
  if (/^(?:--|—|__) ?$/.test(line) || line.trim() === '--') {
    return lines.length - at < MAX_FOOTER_LINES;
  }
  return line.length < 120 && SENT_FROM.test(line.trim()) && !saysMore(lines, at, line);
}

// A long line that begins like a phone's, with a paragraph behind it, is one of the message's own.
function saysMore(lines: readonly string[], at: number, line: string): boolean {
  const rest = lines.slice(at + 1, at + 12).filter((next) => next.trim() !== '' && !isQuote(next.trim()));
  return line.trim().length > 45 && rest.length > 3;
}

/** Footers stand at the end; a rule is one only when no quoted header follows. */
function isFooter(lines: readonly string[], at: number, bare: string): boolean {
  if (!FOOTER.test(bare.slice(0, 300))) return false;
  if (lines.length - at > MAX_FOOTER_LINES) return false;
  return !bare.startsWith('____') || !isHeaderBlock(lines, nextText(lines, at + 1));
}

function nextText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < Math.min(from + 4, lines.length) && (lines[at] ?? '').trim() === '') at++;
  return at;
}

/** A signature ends where a quotation begins. */
function foldSignature(lines: readonly string[], at: number, folded: string[]): number {
  let end = at + 1;
  for (; end < lines.length; end++) {
    const bare = (lines[end] ?? '').trim();
    if (bare === '') continue;
    if (isQuote(bare) || isOriginalMark(bare) || isForwardMark(bare)) break;
    if (quoteIntroLength(lines, end) > 0 || isHeaderBlock(lines, end)) break;
    if (SENT_FROM.test((lines[at] ?? '').trim()) && end - at > 4) break;
  }
  folded.push(...lines.slice(at, end));
  return end;
}

/** At least three different header lines within six, the first of them who it is from. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!FROM_LINE.test((lines[at] ?? '').trim().slice(0, 260))) return false;
  const names = new Set<string>();
  for (let next = at; next < Math.min(at + 8, lines.length); next++) {
    const bare = (lines[next] ?? '').trim();
    if (bare === '') {
      if (names.size >= 3) break;
      continue;
    }
    const name = HEADER_LINE.exec(bare.slice(0, 60))?.[1];
    if (name !== undefined) names.add(name.toLowerCase());
  }
  return names.size >= 3;
}

// The rule above a quoted header belongs to it.
function dropSeparator(kept: string[]): boolean {
  while (kept.length > 0 && (kept.at(-1) ?? '').trim() === '') kept.pop();
  if (!/^\s*(?:_{5,}|-{5,}|———)\s*$/.test(kept.at(-1) ?? '')) return false;
  kept.pop();
  return true;
}

/** Apple's programs quote what they forward: takes one mark off all of it. */
function unquote(lines: string[], from: number): void {
  for (let at = from; at < lines.length; at++) {
    const bare = (lines[at] ?? '').trim();
    if (bare !== '' && !isQuote(bare)) break;
    lines[at] = bare.replace(/^> ?/, '');
  }
}

/** One line instead of the header that a forwarder puts above a mail. Returns the line behind that header. */
function forwardHeading(lines: readonly string[], from: number, kept: string[]): number {
  let at = from;
  let sender = '';
  let subject = '';
  let seen = 0;
  for (; at < Math.min(from + 14, lines.length); at++) {
    const bare = (lines[at] ?? '').trim();
    if (bare === '' || bare === '>') {
      if (seen > 0) break;
      continue;
    }
    const short = bare.slice(0, 260);
    const indented = /^\s+\S/.test(lines[at] ?? '') && seen > 0;
    if (!HEADER_LINE.test(short) && !indented) break;
    seen++;
    sender ||= FROM_LINE.exec(short)?.[1]?.trim() ?? '';
    subject ||= SUBJECT_LINE.exec(short)?.[1]?.trim() ?? '';
  }
  if (seen === 0) kept.push('Forwarded:');
  else {
    dropSeparator(kept);
    if (kept.length > 0) kept.push('');
    kept.push(
      `Forwarded from ${sender.replaceAll('*', '') || 'somebody'}${subject === '' ? '' : `: ${subject.replaceAll('*', '')}`}`,
    );
  }
  kept.push('');
  return at;
}

function trimBlank(lines: readonly string[]): string {
  const out: string[] = [];
  for (const line of lines) {
    const trimmed = line.trimEnd();
    if (trimmed !== '' || out.at(-1) !== '') out.push(trimmed);
  }
  return out.join('\n').trim();
}
