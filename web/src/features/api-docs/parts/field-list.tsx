// Names, types and meanings of values: parameters, bodies, shapes.
import type { Field } from '../model/document.ts';
import { Joints, Prose } from './section.tsx';
import { Code } from '../../../ui/code.tsx';

interface FieldListProps {
  fields: readonly Field[];
  /** Read out before the list: "Query parameters". */
  label: string;
  /** Whether it matters which ones must be sent. */
  optional?: boolean;
}

export function FieldList({ fields, label, optional = false }: FieldListProps) {
  return (
    <dl aria-label={label} className="divide-y divide-line-1 border-y border-line-1">
      {fields.map(({ name, type, required, description, limits }) => (
        <div key={name} className="py-2 sm:grid sm:grid-cols-[minmax(9rem,1fr)_minmax(0,2.4fr)] sm:gap-4">
          <dt className="wrap-break-word">
            <Code className="text-13 font-medium text-ink-1">
              <Joints text={name} />
            </Code>
            {optional && required ? <span className="ml-2 text-13 text-accent">required</span> : null}
          </dt>
          <dd className="min-w-0 text-14 text-ink-2 wrap-break-word">
            <p>
              {type.shape === null ? (
                <span translate="no" className="font-mono text-13">
                  {type.text}
                </span>
              ) : (
                <a
                  translate="no"
                  href={`#shape-${type.shape}`}
                  className="font-mono text-13 text-accent underline underline-offset-3"
                >
                  {type.text}
                </a>
              )}
              {limits === '' ? null : <span className="text-ink-3"> · {limits}</span>}
            </p>
            {description === '' ? null : (
              <p>
                <Prose text={description} />
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
