// Carries Go templates out over the JSON of a message, in counted steps, so that they end on any machine and
// at any load. Only own fields are seen; nothing is called but the functions of the table.
import { isObject } from '../../read.ts';
import { FUNCTIONS, isTrue, SHOWING, shown } from './functions.ts';
import { parseTemplate, TemplateFault, type Node, type Operand, type Pipe } from './parse.ts';

const MAX_TEMPLATE_CHARACTERS = 4000;
const MAX_STEPS = 5000;
const MAX_OUTPUT_CHARACTERS = 12_000;
const MAX_READ_CHARACTERS = 20_000;
const SHOWN_OBJECT_COST = 300;

interface Run {
  steps: number;
  output: string;
}

/** Variables by name, and what `.` is. */
interface Scope {
  variables: ReadonlyMap<string, { value: unknown }>;
  dot: unknown;
}

type Flow = 'on' | 'break' | 'continue';

/** The text; null for a template that cannot be carried out. */
export function renderGoTemplate(template: string, data: unknown): string | null {
  if (template.length > MAX_TEMPLATE_CHARACTERS) return null;
  const run: Run = { steps: MAX_STEPS, output: '' };
  try {
    const variables = new Map([['$', { value: data }]]);
    runList(run, parseTemplate(template), { variables, dot: data });
    return run.output.trim();
  } catch (fault) {
    if (fault instanceof TemplateFault) return null;
    throw fault;
  }
}

function step(run: Run, cost = 1): void {
  run.steps -= cost;
  if (run.steps < 0) throw new TemplateFault('too many steps');
}

/** What the work on a value counts: an object that becomes a text is read whole. */
function costOf(value: unknown, isShown: boolean): number {
  if (typeof value === 'string') return Math.ceil(Math.min(value.length, MAX_READ_CHARACTERS) / 200);
  return typeof value !== 'object' || value === null ? 0 : isShown ? SHOWN_OBJECT_COST : 2;
}

function write(run: Run, text: string): void {
  if (run.output.length < MAX_OUTPUT_CHARACTERS)
    run.output += text.slice(0, MAX_OUTPUT_CHARACTERS - run.output.length);
}

function runList(run: Run, nodes: readonly Node[], outer: Scope): Flow {
  let scope = outer;
  for (const node of nodes) {
    step(run);
    if (node.kind === 'text') write(run, node.text);
    else if (node.kind === 'branch') {
      const flow = runBranch(run, node, scope);
      if (flow !== 'on') return flow;
    } else if (node.kind === 'output') {
      const value = valueOfPipe(run, node.pipe, scope);
      const [name] = node.pipe.names;
      if (name === undefined) {
        step(run, costOf(value, true));
        write(run, shown(value));
      } else scope = assigned(scope, name, value);
    } else return node.kind;
  }
  return 'on';
}

/** `$x = …` of a variable that is there changes it for all. */
function assigned(scope: Scope, name: string, value: unknown): Scope {
  const known = scope.variables.get(name);
  if (known === undefined) return declared(scope, name, value);
  known.value = value;
  return scope;
}

function declared(scope: Scope, name: string, value: unknown): Scope {
  return { ...scope, variables: new Map([...scope.variables, [name, { value }]]) };
}

function runBranch(run: Run, node: Extract<Node, { kind: 'branch' }>, scope: Scope): Flow {
  const { of, pipe, body, other } = node;
  const value = valueOfPipe(run, pipe, scope);
  if (of === 'range') return runRange(run, node, value, scope);
  const [name] = pipe.names;
  const inner = name === undefined ? scope : declared(scope, name, value);
  if (!isTrue(value)) return runList(run, other, inner);
  return runList(run, body, of === 'with' ? { ...inner, dot: value } : inner);
}

function runRange(
  run: Run,
  { pipe, body, other }: Extract<Node, { kind: 'branch' }>,
  value: unknown,
  scope: Scope,
): Flow {
  const entries: [unknown, unknown][] = Array.isArray(value)
    ? [...(value as unknown[]).entries()]
    : isObject(value)
      ? Object.keys(value)
          .toSorted()
          .map((name) => [name, value[name]])
      : [];
  step(run, Math.ceil(entries.length / 50));
  if (entries.length === 0) return runList(run, other, scope);
  for (const [key, item] of entries) {
    step(run);
    const [first, second] = pipe.names;
    let inner: Scope = { ...scope, dot: item };
    if (first !== undefined) inner = declared(inner, first, second === undefined ? item : key);
    if (second !== undefined) inner = declared(inner, second, item);
    if (runList(run, body, inner) === 'break') break;
  }
  return 'on';
}

function valueOfPipe(run: Run, { commands }: Pipe, scope: Scope): unknown {
  let value: unknown;
  for (const [index, command] of commands.entries())
    value = valueOfCommand(run, command, scope, index === 0 ? [] : [value]);
  return value;
}

function valueOfCommand(
  run: Run,
  [first, ...rest]: readonly Operand[],
  scope: Scope,
  piped: unknown[],
): unknown {
  step(run);
  if (first === undefined) throw new TemplateFault('a command is missing');
  if (first.kind !== 'function') {
    if (rest.length + piped.length > 0) throw new TemplateFault('a value takes no arguments');
    return valueOf(run, first, scope);
  }
  if (first.name === 'and' || first.name === 'or') {
    let value: unknown;
    for (const operand of [...rest, ...piped.map((each): Operand => ({ kind: 'value', value: each }))]) {
      value = valueOf(run, operand, scope);
      if (isTrue(value) === (first.name === 'or')) return value;
    }
    return value;
  }
  if (!Object.hasOwn(FUNCTIONS, first.name)) throw new TemplateFault('a function is not known');
  const values = [...rest.map((operand) => valueOf(run, operand, scope)), ...piped];
  for (const value of values) step(run, costOf(value, SHOWING.has(first.name)));
  return FUNCTIONS[first.name]?.(...values);
}

function valueOf(run: Run, operand: Operand, scope: Scope): unknown {
  step(run);
  switch (operand.kind) {
    case 'value':
      return operand.value;
    case 'function':
      return valueOfCommand(run, [operand], scope, []);
    case 'pipe':
      return at(valueOfPipe(run, operand.pipe, scope), operand.path);
    case 'field': {
      const { variable, path } = operand;
      if (variable === null) return at(scope.dot, path);
      const known = scope.variables.get(variable);
      if (known === undefined) throw new TemplateFault('a variable is not known');
      return at(known.value, path);
    }
  }
}

function at(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const name of path) here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}
