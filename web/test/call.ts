// A call to a fake server, and its answer.

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Headers;
}

export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };
