// Mails that were made to hurt a mail parser: each uses something that has brought one down before, or that
// takes time quadratic in its length when it is read carelessly.

const NEWLINE = '\r\n';
const MIME = 'Content-Type: multipart/mixed; boundary=b';

export interface HostileMail {
  name: string;
  raw: Buffer;
  /** `refused`, or what has to be read all the same. */
  outcome: 'refused' | 'read';
}

function mail(header: string, body = ''): Buffer {
  return Buffer.from(`Subject: hostile${NEWLINE}${header}${NEWLINE}${NEWLINE}${body}`, 'latin1');
}

function fill(piece: string, bytes: number): string {
  return piece.repeat(Math.floor(bytes / piece.length));
}

function nested(depth: number): string {
  let text = '';
  for (let level = 0; level < depth; level++) {
    text += `--b${level}${NEWLINE}Content-Type: multipart/mixed; boundary=b${level + 1}${NEWLINE}${NEWLINE}`;
  }
  return `${text}--b${depth}${NEWLINE}${NEWLINE}deep${NEWLINE}`;
}

/** Makes them; `mebi` is the size of the large ones in MiB, 10 at most. */
export function hostileMails(mebi: number): HostileMail[] {
  const size = mebi * 1024 * 1024 - 4096;
  const html = (body: string) => mail('Content-Type: text/html', body);
  const read = (name: string, raw: Buffer): HostileMail => ({ name, raw, outcome: 'read' });
  const refused = (name: string, raw: Buffer): HostileMail => ({ name, raw, outcome: 'refused' });
  return [
    refused('20,000 sibling parts', mail(MIME, fill(`--b${NEWLINE}${NEWLINE}x${NEWLINE}`, 20_000 * 8))),
    read('nesting of 300', mail('Content-Type: multipart/mixed; boundary=b0', nested(300))),
    read(
      '300 mails in one another',
      mail(
        'Content-Type: message/rfc822',
        fill(`Content-Type: message/rfc822${NEWLINE}${NEWLINE}`, 300 * 32),
      ),
    ),
    refused('100,000 addresses', mail(`To: ${fill('a@example.com, ', 100_000 * 15)}`, 'x')),
    refused('100,000 members of a group', mail(`To: g: ${fill('a@b.c,', 100_000 * 6)};`, 'x')),
    read('addresses up to the limit', mail(`To: ${fill('"a" <a@b>(c), ', 90_000)}`, 'x')),
    read('nested comments', mail(`From: ${fill('(', 90_000)}`, 'x')),
    read('quotes in an address', mail(`From: ${fill('"', 90_000)}@x`, 'x')),
    refused(
      'a header without end',
      Buffer.from(fill(`X-Filler: ${'y'.repeat(60)}${NEWLINE}`, size), 'latin1'),
    ),
    refused('a header line without end', Buffer.from(`Subject: ${fill('y', size)}`, 'latin1')),
    read('blanks in a header', mail(`X: ${fill(' ', 90_000)}x`, 'x')),
    read('semicolons in a header', mail(`Content-Type: text/plain${fill(';', 90_000)}=`, 'x')),
    read('open encoded words', mail(`To: x${NEWLINE}From: ${fill('=?a?q?', 90_000)}`, 'x')),
    read('a line of many MiB', mail('X: y', fill('z', size))),
    read(
      'a quoted-printable line of many MiB',
      mail('Content-Transfer-Encoding: quoted-printable', fill('=20 =', size)),
    ),
    read('NUL bytes', mail('Content-Type: text/plain', fill('\0', size))),
    read('empty lines', mail(MIME, fill('\n', size))),
    read('dashes', mail(MIME, fill('\n--', size))),
    read(
      'almost boundaries',
      mail(`Content-Type: multipart/mixed; boundary=${'b'.repeat(70)}`, fill(`\n--${'b'.repeat(69)}`, size)),
    ),
    read('quote marks', mail('X: y', fill('>\n', size))),
    read('lines that may introduce a quotation', mail('X: y', fill('On 1.1.2026 10:00 x@y\n', size))),
    read('lines that may be headers', mail('X: y', fill('From: a\n', size))),
    read('HTML brackets', html(fill('<', size))),
    read('HTML cells', html(fill('<td>x', size))),
    read('HTML tables in tables', html(fill('<table><tr><td>x', size))),
    read('HTML quotations in quotations', html(fill('<blockquote>x', size))),
    read('HTML links', html(fill('<a href=http://x/>', size))),
    read('HTML without an end of the tag', html(fill('<a b="', size))),
    read('HTML blanks', html(`<pre>${fill(' \t', size)}x`)),
    read('HTML comments', html(fill('<!--', size))),
    read('HTML with beginnings of data: URLs', html(fill('"data:,', size))),
    read('HTML references', html(fill('&#x26;amp;', size))),
    read('a calendar of folds', mail('Content-Type: text/calendar', `BEGIN:VEVENT\n${fill('\n ', size)}`)),
    read('base64 in pieces', mail('Content-Transfer-Encoding: base64', fill('YQ==', size))),
    read('mails in base64 in one another', base64Nest(8)),
    read('UTF-7', mail('Content-Type: text/plain; charset=utf-7', fill('+AGE-', size))),
    refused('more than 10 MiB', Buffer.alloc(10 * 1024 * 1024 + 1, 0x78)),
  ];
}

function base64Nest(depth: number): Buffer {
  let raw = mail('Content-Type: text/plain', 'x'.repeat(10_000));
  for (let level = 0; level < depth; level++) {
    raw = mail(
      `Content-Type: message/rfc822${NEWLINE}Content-Transfer-Encoding: base64`,
      raw.toString('base64'),
    );
  }
  return raw;
}
