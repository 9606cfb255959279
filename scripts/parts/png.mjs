// Makes screenshots small without a package: 256 colours, which is what a screen of text and flat areas needs, packed tightly.
// Reads only what Chromium writes: 8 bits a channel, RGB or RGBA, not interlaced. A picture is opaque afterwards.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;

/** The same picture as an indexed PNG (W3C PNG, third edition). */
export function reducePng(png) {
  const { width, height, pixels } = decode(png);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = choosePalette(counts);
  const indexOf = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function distance(a, b) {
  const [r, g, bl] = channels(a);
  const [r2, g2, b2] = channels(b);
  return (r - r2) ** 2 + (g - g2) ** 2 + (bl - b2) ** 2;
}

// The commonest colours as they are, so that areas keep theirs; then those that are both common and far from all chosen.
function choosePalette(counts) {
  const byCount = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour);
  if (byCount.length <= MAX_COLOURS) return byCount;
  const palette = byCount.slice(0, MAX_COLOURS / 4);
  const rest = byCount
    .slice(MAX_COLOURS / 4)
    .map((colour) => ({ colour, gap: distance(palette[nearest(palette, colour)], colour) }));
  while (palette.length < MAX_COLOURS) {
    let worst = rest[0];
    let cost = -1;
    for (const each of rest) {
      const its = each.gap * Math.sqrt(counts.get(each.colour));
      if (its > cost) [worst, cost] = [each, its];
    }
    palette.push(worst.colour);
    for (const each of rest) each.gap = Math.min(each.gap, distance(worst.colour, each.colour));
  }
  return palette;
}

function nearest(palette, colour) {
  let best = 0;
  let least = Infinity;
  for (const [index, candidate] of palette.entries()) {
    const its = distance(candidate, colour);
    if (its < least) [best, least] = [index, its];
  }
  return best;
}

function decode(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  const data = [];
  let header = null;
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const [depth, colourType, , , interlace] = header.subarray(8);
  const size = { 2: 3, 6: 4 }[colourType];
  if (depth !== 8 || size === undefined || interlace !== 0)
    throw new Error('not a PNG as Chromium writes it');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * size, height, size);
  const pixels = Array.from({ length: width * height }, (_, i) => bytes.readUIntBE(i * size, 3));
  return { width, height, pixels };
}

// Every row is kept as its difference from its neighbours, in one of five ways.
function unfilter(raw, stride, height, size) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= size ? out[at - size] : 0;
      const up = y > 0 ? out[at - stride] : 0;
      const corner = x >= size && y > 0 ? out[at - stride - size] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[at] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(left + up - corner - each));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
