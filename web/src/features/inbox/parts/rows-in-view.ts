// What is drawn first of a list.
const SMALLEST_ROW_PX = { narrow: 56, wide: 32 };
const NARROW_PX = 640;

/** At most. */
export function rowsInView(): number {
  const { innerHeight, innerWidth } = window;
  return Math.ceil(innerHeight / SMALLEST_ROW_PX[innerWidth < NARROW_PX ? 'narrow' : 'wide']);
}
