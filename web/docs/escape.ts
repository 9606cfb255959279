// Text as HTML.

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For texts and for values of attributes. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (one) => NAMES[one] ?? one);
