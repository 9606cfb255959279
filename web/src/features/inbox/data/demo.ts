// The demo's tasks, one set for the page, made when they are first wanted.
import type { TaskBackend } from './backend.ts';

let backend: Promise<TaskBackend> | null = null;

export async function loadDemo(): Promise<TaskBackend> {
  backend ??= import('./demo-backend.ts').then(({ createDemoBackend }) => createDemoBackend());
  return backend;
}
