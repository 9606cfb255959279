// What is measured inside the page, as source text that runs there: the length of each frame, and the time
// from a key to the frame that shows what it did.

/** `start()`, then `stop()` answers the lengths of all frames since, in milliseconds. */
export const FRAMES = `(globalThis.__frames ??= (() => {
  let lengths = [], last = null, running = false;
  const tick = (now) => {
    if (last !== null) lengths.push(now - last);
    last = now;
    if (running) requestAnimationFrame(tick);
  };
  return {
    start() { lengths = []; last = null; running = true; requestAnimationFrame(tick); },
    stop() { running = false; return lengths; },
  };
})())`;

/**
 * After \`start()\`, \`take()\` answers how long the latest acknowledgement by key took to be painted; null
 * until it is.
 */
export const WATCH = `(globalThis.__watch ??= (() => {
  let from = null, id = null, took = null;
  const look = () => {
    if (from === null || document.querySelector('article[data-task="' + id + '"]')) return;
    const begun = from;
    from = null;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { took = performance.now() - begun; };
      channel.port2.postMessage(null);
    });
  };
  return {
    start() {
      addEventListener('keydown', (event) => {
        if (event.key !== 'e') return;
        id = document.activeElement?.dataset.task;
        from = id === undefined ? null : event.timeStamp;
      }, { capture: true });
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    },
    take() { const answer = took; took = null; return answer; },
  };
})())`;

/**
 * After \`watch(isThere)\`, \`take()\` answers how long it took from the next key to the frame in which
 * \`isThere()\` was true; null until it is.
 */
export const PRESS = `(globalThis.__press ??= (() => {
  let from = null, isThere = null, took = null;
  const look = () => {
    if (from === null || isThere === null || !isThere()) return;
    const begun = from;
    from = isThere = null;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { took = performance.now() - begun; };
      channel.port2.postMessage(null);
    });
  };
  addEventListener('keydown', (event) => { if (isThere !== null) from ??= event.timeStamp; }, { capture: true });
  new MutationObserver(look).observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  return {
    watch(test) { took = from = null; isThere = test; },
    take() { const answer = took; took = null; return answer; },
  };
})())`;
