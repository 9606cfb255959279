// Whether this browser can get pushes, and if not, what the person can do about it.

/**
 * `insecure`: neither https nor localhost. `install`: an iPhone or iPad, where only an app on the Home Screen
 * gets pushes. `denied`: by the browser's settings for this site.
 */
export type PushObstacle = 'insecure' | 'install' | 'unsupported' | 'denied';

/** Null where nothing is in the way. */
export function pushObstacle(): PushObstacle | null {
  if (!globalThis.isSecureContext) return 'insecure';
  const isPossible =
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  if (isPossible) return Notification.permission === 'denied' ? 'denied' : null;
  // Only the browsers of these systems have it; true: opened from the Home Screen.
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === false && navigator.maxTouchPoints > 1 ? 'install' : 'unsupported';
}

const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** "Chrome on Android": what a person calls this browser. */
export function deviceName(agent: string = navigator.userAgent): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([mark]) => mark.test(agent))?.[1];
  const [browser = 'Browser', found] = [find(BROWSERS), find(SYSTEMS)];
  // An iPad says that it is a Mac.
  const system = found === 'Mac' && navigator.maxTouchPoints > 1 ? 'iPad' : found;
  return system === undefined ? browser : `${browser} on ${system}`;
}
