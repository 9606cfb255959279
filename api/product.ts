// What this program is called and which version it is.
import manifest from '../package.json' with { type: 'json' };

export const PRODUCT = { name: 'Qinbox', tagline: 'Focus on today', version: manifest.version };
