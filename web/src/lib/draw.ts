// Draws components without react-dom, which is most of React's code: what they show at first. Their layout
// effects run once and may change their state once; nothing else happens later, neither effects nor events.
// The hooks are given to React as react-dom and react-dom/server give theirs. A hook or a kind of component
// that is not known here throws: then nothing is drawn.
import * as react from 'react';
import { isValidElement, type ReactElement, type ReactNode } from 'react';

type Props = Record<string, unknown>;
type Component = (props: Props, ref?: unknown) => ReactNode;

/** One function component where it was drawn. */
interface Instance {
  call: () => ReactNode;
  state: unknown[];
  namespace: string | null;
  nodes: Node[];
  isChanged: boolean;
}

interface Hooks {
  instance: Instance;
  at: number;
}

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MEMO = Symbol.for('react.memo');
const FORWARD_REF = Symbol.for('react.forward_ref');
const LOUD_NAME = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const internals = (react as unknown as Record<typeof LOUD_NAME, { H: unknown }>)[LOUD_NAME];

let current: Hooks | null = null;
let layoutEffects: (() => void)[] = [];

const dispatcher = {
  useState(initial: unknown) {
    const { instance, at } = nextHook();
    if (!(at in instance.state))
      instance.state[at] = typeof initial === 'function' ? (initial as () => unknown)() : initial;
    function set(value: unknown) {
      if (Object.is(instance.state[at], value)) return;
      instance.state[at] = value;
      instance.isChanged = true;
    }
    return [instance.state[at], set];
  },
  useRef(initial: unknown) {
    const { instance, at } = nextHook();
    return (instance.state[at] ??= { current: initial });
  },
  useMemo: <T>(make: () => T) => make(),
  useContext: (context: { _currentValue: unknown }) => context._currentValue,
  useSyncExternalStore: <T>(_subscribe: unknown, read: () => T) => read(),
  useEffect: () => undefined,
  useLayoutEffect: (run: () => void) => void layoutEffects.push(run),
};

function nextHook(): Hooks {
  if (current === null) throw new Error('a hook outside of a component');
  return { instance: current.instance, at: current.at++ };
}

/** What is drawn in steps, between which the page answers. */
type Drawing<T> = Generator<void, T>;

/** So long a step takes, or as long as one component. */
const STEP_MS = 8;

/**
 * Draws into an element of the page, in place of what is there: built in steps, and then shown at once.
 * `place` is called before that, in the same step.
 */
export async function draw(
  node: ReactNode,
  into: Element,
  place: () => void = () => undefined,
): Promise<void> {
  const drawn: Instance[] = [];
  layoutEffects = [];
  const nodes = await inSteps(nodesOf(node, null, drawn));
  await nextTask();
  place();
  into.replaceChildren(...nodes);
  for (const run of layoutEffects.splice(0)) run();
  for (const instance of drawn) if (instance.isChanged) redraw(instance);
  layoutEffects = [];
}

async function inSteps<T>(drawing: Drawing<T>): Promise<T> {
  let begunAt = performance.now();
  for (;;) {
    const { done, value } = drawing.next();
    if (done === true) return value;
    if (performance.now() - begunAt < STEP_MS) continue;
    await nextTask();
    begunAt = performance.now();
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function atOnce<T>(drawing: Drawing<T>): T {
  for (;;) {
    const { done, value } = drawing.next();
    if (done === true) return value;
  }
}

function redraw(instance: Instance): void {
  const [first, ...rest] = instance.nodes as ChildNode[];
  first?.replaceWith(...atOnce(drawInstance(instance, [])));
  for (const node of rest) node.remove();
}

function* nodesOf(node: ReactNode, namespace: string | null, drawn: Instance[]): Drawing<Node[]> {
  if (node === null || node === undefined || typeof node === 'boolean' || node === '') return [];
  if (typeof node === 'string' || typeof node === 'number') return [document.createTextNode(String(node))];
  if (Array.isArray(node)) {
    const all: Node[] = [];
    for (const child of node as ReactNode[]) all.push(...(yield* nodesOf(child, namespace, drawn)));
    return all;
  }
  if (!isValidElement<Props>(node)) throw new Error('cannot be drawn');
  if (node.type === react.Fragment)
    return yield* nodesOf(node.props['children'] as ReactNode, namespace, drawn);
  if (typeof node.type === 'string') return [yield* elementOf(node.type, node.props, namespace, drawn)];
  const { ref = null, ...props } = node.props;
  const call = componentOf(node, ref);
  return yield* drawInstance(
    { call: () => call(props, ref), state: [], namespace, nodes: [], isChanged: false },
    drawn,
  );
}

function componentOf({ type }: ReactElement, ref: unknown): Component {
  if (typeof type === 'function')
    return (props) => (type as Component)(ref === null ? props : { ...props, ref });
  const { $$typeof: kind, ...rest } = type as unknown as {
    $$typeof: symbol;
    type: ReactElement['type'];
    render: Component;
  };
  if (kind === FORWARD_REF) return rest.render;
  if (kind === MEMO) return rest.type as unknown as Component;
  throw new Error('a component of a kind that cannot be drawn');
}

function* drawInstance(instance: Instance, drawn: Instance[]): Drawing<Node[]> {
  yield;
  const [before, hooks] = [current, internals.H];
  current = { instance, at: 0 };
  internals.H = dispatcher;
  let shown: ReactNode;
  try {
    shown = instance.call();
  } finally {
    current = before;
    internals.H = hooks;
  }
  drawn.push(instance);
  instance.nodes = yield* nodesOf(shown, instance.namespace, drawn);
  return instance.nodes;
}

function* elementOf(tag: string, props: Props, outer: string | null, drawn: Instance[]): Drawing<Element> {
  const namespace = tag === 'svg' ? SVG : outer;
  const element = document.createElementNS(namespace ?? HTML, tag);
  const { children, ref, style, ...rest } = props;
  for (const [name, value] of Object.entries(rest)) setAttribute(element, name, value);
  if (style !== undefined) Object.assign((element as HTMLElement).style, style);
  if (ref !== null && typeof ref === 'object') (ref as { current: unknown }).current = element;
  element.append(...(yield* nodesOf(children as ReactNode, namespace, drawn)));
  return element;
}

/** Written in HTML with a hyphen, as SVG has them. */
const HYPHENATED = /^(?:stroke|fill|clip|stop)[A-Z]/;

function setAttribute(element: Element, name: string, value: unknown): void {
  const isText = name.startsWith('aria-') || name.startsWith('data-');
  if (typeof value === 'boolean' && !isText) {
    if (value) element.setAttribute(attributeOf(element, name), '');
    return;
  }
  // What else there is are handlers, and what has no value.
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    element.setAttribute(attributeOf(element, name), String(value));
}

function attributeOf(element: Element, name: string): string {
  if (name === 'className') return 'class';
  if (HYPHENATED.test(name)) return name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  return element.namespaceURI === SVG ? name : name.toLowerCase();
}
