// The first tasks of the inbox are asked for by public/theme.js, before this code has come.

declare global {
  var qinboxEarly: { url: string; headers: Record<string, string>; answer: Promise<Response> } | undefined;
}

/** The answer to this very call, once; undefined when it was not asked for early. Rejects as `fetch` does. */
export function takeEarlyAnswer(
  url: string,
  { headers, signal }: RequestInit,
): Promise<Response> | undefined {
  const early = globalThis.qinboxEarly;
  if (early?.url !== url || JSON.stringify(early.headers) !== JSON.stringify(headers)) return undefined;
  globalThis.qinboxEarly = undefined;
  const { answer } = early;
  if (signal === undefined || signal === null) return answer;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([answer, aborted]);
}
