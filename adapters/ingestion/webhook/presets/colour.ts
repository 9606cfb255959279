// What a colour says that a tool gives its message.
import type { Priority } from '#core/contract/index.ts';
import { USUAL } from './result.ts';

/** Red is trouble and green is not. `colour` is 0xRRGGBB; null for none. */
export function colourPriority(colour: number | null): Priority | undefined {
  if (colour === null || colour < 0 || colour > 0xffffff) return USUAL;
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255];
  if (red > 150 && green < 110 && blue < 110) return 'high';
  return green > 120 && red < 120 && blue < 180 ? 'low' : USUAL;
}
