// Writes to the clipboard, also over plain http, where a page has no `navigator.clipboard`.

/**
 * Resolves with whether it was copied: the browser may not allow it. Called by a click or a key. `within` is
 * the dialog that is open, if one is: nothing outside of it can be selected.
 */
export async function copyText(text: string, within: Element = document.body): Promise<boolean> {
  try {
    if (!('clipboard' in navigator)) return copySelected(text, within);
    // oxlint-disable-next-line no-restricted-properties
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copySelected(text: string, within: Element): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.ariaHidden = 'true';
  Object.assign(field.style, { position: 'fixed', top: '0', opacity: '0' });
  const before = document.activeElement;
  within.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
