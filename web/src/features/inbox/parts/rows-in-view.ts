// What is drawn first of a list.
const SMALLEST_ROW_PX = { usual: { narrow: 72, wide: 48 }, compact: { narrow: 56, wide: 32 } };
/** Where the list beside its margins has less than 45rem. */
export const NARROW_PX = 768;

/** At most. */
export function rowsInView(): number {
  const { innerHeight, innerWidth } = window;
  const { dataset } = document.documentElement;
  const rows = SMALLEST_ROW_PX[dataset['density'] === 'compact' ? 'compact' : 'usual'];
  // Headings are lower than rows; header and toolbar have more than their height.
  return Math.ceil(innerHeight / rows[innerWidth < NARROW_PX ? 'narrow' : 'wide']);
}
