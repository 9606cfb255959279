// Event listeners that are removed together.

type Handlers<M> = { [K in keyof M]?: (event: M[K]) => void };

export function listen(
  target: Window,
  on: Handlers<WindowEventMap>,
  options?: AddEventListenerOptions,
): () => void;
export function listen(
  target: Document,
  on: Handlers<DocumentEventMap>,
  options?: AddEventListenerOptions,
): () => void;
export function listen(target: EventTarget, on: Record<string, (event: Event) => void>): () => void;
/** Returns the function that removes them. */
export function listen(target: EventTarget, on: object, options: AddEventListenerOptions = {}): () => void {
  const controller = new AbortController();
  for (const [type, handler] of Object.entries(on) as [string, EventListener][])
    target.addEventListener(type, handler, { ...options, signal: controller.signal });
  return () => controller.abort();
}
