// The links of a task, and the browser of this machine.
import { spawn } from 'node:child_process';
import type { Task } from '#core/contract/index.ts';
import { trimLink } from '#core/text/trim-link.ts';

const LINK = /https?:\/\/[^\s<>"]+/i;
const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

/** The first link of its text or its body; null when there is none. */
export function linkOf({ content, metadata: { url, body } }: Task): string | null {
  for (const text of [content, url, body]) {
    const [found] = (typeof text === 'string' ? LINK.exec(text) : null) ?? [];
    if (found === undefined) continue;
    const link = trimLink(found);
    if (URL.canParse(link)) return new URL(link).href;
  }
  return null;
}

/** Opens it in a browser; false where this machine has no program for it. */
export function openLink(link: string): Promise<boolean> {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return Promise.resolve(false);
  return new Promise((done) => {
    const child = spawn(opener, [link], { stdio: 'ignore', detached: true });
    child.on('error', () => done(false));
    child.on('spawn', () => {
      child.unref();
      done(true);
    });
  });
}
