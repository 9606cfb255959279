// A payload as a tree of values; each is a button that inserts its name into the template.
import { spellPath, type Path } from '../../model/paths.ts';

const MOST_CHILDREN = 100;
const OPEN_DEPTH = 2;
const LONGEST_VALUE = 80;

interface PayloadTreeProps {
  value: unknown;
  root?: 'payload' | 'headers';
  onPick: (name: string) => void;
}

export function PayloadTree({ value, root = 'payload', onPick }: PayloadTreeProps) {
  if (!isBranch(value))
    return (
      <ul translate="no" className="font-mono text-13">
        <Leaf name={root} value={value} path={[]} root={root} onPick={onPick} />
      </ul>
    );
  return <Children value={value} path={[]} root={root} onPick={onPick} />;
}

interface NodeProps {
  path: Path;
  root: 'payload' | 'headers';
  onPick: (name: string) => void;
}

function Children({ value, path, root, onPick }: NodeProps & { value: object }) {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? (value as unknown[]).map((each, index) => [index, each])
    : Object.entries(value);
  return (
    <ul
      translate="no"
      className={`font-mono text-13 ${path.length === 0 ? '' : 'ml-2 border-l border-line-1 pl-2.5'}`}
    >
      {entries.slice(0, MOST_CHILDREN).map(([name, each]) => {
        const at = [...path, name];
        if (!isBranch(each))
          return <Leaf key={name} name={String(name)} value={each} path={at} root={root} onPick={onPick} />;
        return (
          <li key={name}>
            <details open={path.length < OPEN_DEPTH - 1}>
              <summary className="rounded-sm py-0.5 touch:py-3 text-ink-2 hover:text-ink-1">
                {name}{' '}
                <span className="text-ink-3">
                  {Array.isArray(each) ? `[${each.length}]` : `{${Object.keys(each).length}}`}
                </span>
              </summary>
              <Children value={each} path={at} root={root} onPick={onPick} />
            </details>
          </li>
        );
      })}
      {entries.length > MOST_CHILDREN ? (
        <li className="py-0.5 text-ink-3">and {entries.length - MOST_CHILDREN} more</li>
      ) : null}
    </ul>
  );
}

function Leaf({ name, value, path, root, onPick }: NodeProps & { name: string; value: unknown }) {
  const spelled = spellPath(path, root);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <li>
      <button
        type="button"
        data-hint={`Insert {{ ${spelled} }}`}
        onClick={() => onPick(spelled)}
        className="flex w-full min-w-0 gap-2 rounded-sm px-1 py-0.5 touch:py-3 text-left hover:bg-accent-soft"
      >
        <span className="sr-only">Insert {spelled}: </span>
        <span aria-hidden className="shrink-0 text-accent">
          {name}
        </span>
        <span className="min-w-0 truncate text-ink-2">{text.slice(0, LONGEST_VALUE)}</span>
      </button>
    </li>
  );
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
