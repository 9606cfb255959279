// Plain text as its writer saw it: flowed lines are joined again (RFC 3676), and the armour of signed text
// and files pasted into the text (uuencode) are taken out. Linear in its length.

/** Undoes `format=flowed`. */
export function unflow(text: string, deleteSpace: boolean): string {
  const out: string[] = [];
  let open: { depth: number; text: string } | null = null;
  const close = () => {
    if (open !== null) out.push(quoted(open.depth, open.text));
    open = null;
  };
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    let depth = 0;
    while (line[depth] === '>') depth++;
    let body = line.slice(depth);
    if (body.startsWith(' ')) body = body.slice(1);
    if (open !== null && open.depth !== depth) close();
    // The signature's dashes end in a blank that does not flow.
    const flows = body.endsWith(' ') && body !== '-- ';
    if (body === '-- ') close();
    const piece = flows && deleteSpace ? body.slice(0, -1) : body;
    if (open === null) open = { depth, text: piece };
    else open.text += piece;
    if (!flows) close();
  }
  close();
  return out.join('\n');
}

function quoted(depth: number, text: string): string {
  return depth === 0 ? text : `${'>'.repeat(depth)} ${text}`;
}

/** The text inside of an OpenPGP cleartext signature; any other text as it is. */
export function withoutArmour(text: string): string {
  const begin = text.indexOf('-----BEGIN PGP SIGNED MESSAGE-----');
  if (begin === -1) return text;
  const bodyAt = text.indexOf('\n\n', begin);
  const signature = text.indexOf('-----BEGIN PGP SIGNATURE-----', begin);
  if (bodyAt === -1 || signature < bodyAt) return text;
  const endMark = '-----END PGP SIGNATURE-----';
  const end = text.indexOf(endMark, signature);
  const signed = text.slice(bodyAt + 2, signature).replace(/^- /gm, '');
  return text.slice(0, begin) + signed + (end === -1 ? '' : text.slice(end + endMark.length));
}

export interface PastedFile {
  name: string;
  bytes: number;
}

/** Takes files out that were put into the text between `begin 644 name` and `end`. */
export function withoutPastedFiles(text: string): { text: string; files: PastedFile[] } {
  if (!/^begin [0-7]{3,4}(?: |\r?$)/m.test(text)) return { text, files: [] };
  const files: PastedFile[] = [];
  const lines: string[] = [];
  let file: PastedFile | null = null;
  for (const line of text.split('\n')) {
    if (file === null) {
      const begin = /^begin [0-7]{3,4}(?:$| (.{0,200}))/.exec(line);
      if (begin === null) lines.push(line);
      else file = { name: (begin[1] ?? '').trim(), bytes: 0 };
    } else if (line.trimEnd() === 'end') {
      files.push(file);
      file = null;
    } else file.bytes += (line.charCodeAt(0) - 32) & 63;
  }
  if (file !== null) files.push(file);
  return { text: lines.join('\n'), files };
}
