// Event listeners that are removed together.

type Handlers<M> = { [K in keyof M]?: (event: M[K]) => void };
type Options = AddEventListenerOptions;

/** Returns the function that removes them. */
export function listen(target: Window, on: Handlers<WindowEventMap>, options?: Options): () => void;
export function listen(
  target: Document | HTMLElement,
  on: Handlers<DocumentEventMap>,
  options?: Options,
): () => void;
export function listen(
  target: EventTarget,
  on: Record<string, (event: Event) => void>,
  options?: Options,
): () => void;
export function listen(target: EventTarget, on: object, options: Options = {}): () => void {
  const controller = new AbortController();
  for (const [type, handler] of Object.entries(on) as [string, EventListener][])
    target.addEventListener(type, handler, { ...options, signal: controller.signal });
  return () => controller.abort();
}
