// Whether a text has nothing in it to see: what no list could show counts as no text, wherever it comes from.

/**
 * White space, controls, what Unicode says to draw nothing for (joiners, soft hyphens, fillers, selectors),
 * and the two symbols that are drawn as nothing: the empty Braille cell and the note without a head.
 */
const UNSEEN = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}\u{2800}\u{1D159}]*$/u;

/** Whether a person would see nothing where this text is. Linear. */
export function isBlank(text: string): boolean {
  return UNSEEN.test(text);
}
