// Headers that hold text beyond ASCII.

/** A header in UTF-8 as it came, one character for each byte; or as it is, where it is no UTF-8. */
export function fromBytes(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') || bytes.toString('latin1') !== value ? value : text;
}
