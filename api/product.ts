// What this program is called and which version it is.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const PRODUCT = { name: 'Qinbox', tagline: 'Focus on today', version: manifest.version };
