// A call that a fake server hears, and what it answers.

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Headers;
}

export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };
