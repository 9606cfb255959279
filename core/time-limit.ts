// Limits how long an answer is waited for.

/**
 * The result of `work`, or of `onLate` after `limitMs`: by default an error. `work` itself goes on. An answer
 * that has arrived by then counts, even if not read yet.
 */
export async function withTimeLimit<T, Late = never>(
  limitMs: number,
  work: Promise<T>,
  onLate: () => Late = () => {
    throw new Error(`no answer within ${limitMs} ms`);
  },
): Promise<T | Late> {
  const late = Promise.withResolvers<Late>();
  const timer = setTimeout(() => setImmediate(() => late.resolve(Promise.resolve().then(onLate))), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
