// Which file of the build a module of the first load belongs to: the first list is drawn (first-paint.tsx)
// before the app starts (main.tsx), and what both need is in a file of its own.
import { join } from 'node:path';

export const FIRST_PAINT = join(import.meta.dirname, 'src', 'first-paint.tsx');
const MAIN = join(import.meta.dirname, 'src', 'main.tsx');

/** Small, and of other pages as well. */
const SMALL = /lucide-react|web\/src\/(?:ui\/priority-mark|lib\/labels)/;

/** Imports every icon there is; what is not used is left out later. */
const ALL_ICONS = /lucide-react\/dist\/esm\/lucide-react\.m?js$/;
const ICON_NAMES = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;

interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; code: string | null } | null;
}

const closures = new Map<string, ReadonlySet<string>>();

/** A module and all that it imports before it can run. */
function closureOf(entry: string, modules: Modules): ReadonlySet<string> {
  const known = closures.get(entry);
  if (known !== undefined) return known;
  const found = new Set([entry]);
  for (const id of found) {
    const info = modules.getModuleInfo(id);
    for (const each of info?.importedIds ?? [])
      if (ALL_ICONS.test(each)) for (const icon of iconsIn(info?.code ?? '', each)) found.add(icon);
      else found.add(each);
  }
  closures.set(entry, found);
  return found;
}

function iconsIn(code: string, all: string): string[] {
  const names = [...code.matchAll(ICON_NAMES)].flatMap(([, list = '']) => list.split(','));
  return names
    .map((name) => name.trim().split(' ')[0] ?? '')
    .filter((name) => name !== '')
    .map((name) => name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase())
    .map((name) => all.replace(/lucide-react(\.m?js)$/, `icons/${name}$1`));
}

/** Null: of neither. */
export function startPart(id: string, modules: Modules): string | null {
  const isFirst = closureOf(FIRST_PAINT, modules).has(id);
  if (closureOf(MAIN, modules).has(id)) return isFirst ? 'core' : 'start';
  return isFirst && SMALL.test(id) ? 'core' : null;
}

/** What the app's inbox has, too: to load it must not draw anything. */
export function firstListPart(id: string, modules: Modules): string | null {
  const isShared = id !== FIRST_PAINT && !id.endsWith('/lib/draw.ts');
  return isShared && closureOf(FIRST_PAINT, modules).has(id) ? 'first-list' : null;
}
