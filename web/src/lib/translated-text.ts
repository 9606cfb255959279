// A page that the browser translates: it takes React's texts out and puts `<font>` elements in their place.
// React knows nothing of that. It would go on changing texts that nobody sees, so that counts stand still,
// and fail where it removes such a text or puts something before it. Here, a text that React changes, removes
// or goes by takes its place back first; the browser translates it again.

/** By the text of React: what is shown in its place. */
const replacements = new WeakMap<Node, Element>();
const known = new WeakSet<Node>();
const observer = new MutationObserver(read);

/** For the whole document, from now on. */
export function keepTranslatedTexts(): void {
  observer.observe(document, { childList: true, subtree: true });
  // oxlint-disable-next-line typescript/unbound-method -- Each is called on the node that it was asked of.
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function removeText<T extends Node>(this: Node, child: T): T {
    if (child.parentNode !== this) restore(child);
    return removeChild.call(this, child) as T;
  };
  Node.prototype.insertBefore = function insertBeforeText<T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ): T {
    if (before !== null && before.parentNode !== this) restore(before);
    return insertBefore.call(this, node, before) as T;
  };
}

function read(records: MutationRecord[]): void {
  for (const record of records)
    if (record.type === 'characterData') putBack(record.target);
    else
      for (const text of record.removedNodes) {
        if (text.nodeType !== Node.TEXT_NODE) continue;
        // Replaced in one step, or first put beside it.
        const near = [record.addedNodes[0], record.previousSibling, record.nextSibling];
        const replacement = near.find((node) => node?.nodeName === 'FONT' && !known.has(node));
        if (!(replacement instanceof Element)) continue;
        known.add(replacement);
        replacements.set(text, replacement);
        observer.observe(text, { characterData: true });
      }
}

function restore(text: Node): void {
  read(observer.takeRecords());
  putBack(text);
}

function putBack(text: Node): void {
  const replacement = replacements.get(text);
  replacements.delete(text);
  if (replacement?.isConnected === true && text.parentNode === null)
    replacement.parentNode?.replaceChild(text, replacement);
}
