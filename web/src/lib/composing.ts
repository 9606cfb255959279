// Input methods for Chinese, Japanese and Korean.

/** What Safari says of the key that ends a composition, which it has ended before that. */
const OF_INPUT_METHOD = 229;

/** Whether a key is for what is being composed: Enter takes it, Escape drops it. */
export function isComposing({ isComposing: isNow, keyCode }: KeyboardEvent): boolean {
  return isNow || keyCode === OF_INPUT_METHOD;
}
