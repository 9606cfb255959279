// One call: its line and, when opened, its details.
import { Check, ChevronRight, Link2, Play } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { useCopy } from '../../../ui/copyable.tsx';
import { credentialsOf } from '../model/access.ts';
import {
  fieldsOf,
  parameterFields,
  typeOf,
  type ApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from '../model/document.ts';
import { FieldList } from './field-list.tsx';
import { Joints, Prose } from './section.tsx';

const PLACES: [Parameter['in'], string][] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'In headers'],
];

const TryIt = lazy(() => import('./try/try-it.tsx'));

interface DisclosureProps {
  id: string;
  /** The address links to it. */
  wanted: boolean;
  summary: ReactNode;
  children: ReactNode;
}

/** A line that opens. Its content is drawn only then: the page is long. */
export function Disclosure({ id, wanted, summary, children }: DisclosureProps) {
  const [open, setOpen] = useState(wanted);
  useEffect(() => {
    if (wanted) setOpen(true);
  }, [wanted]);
  return (
    <details
      id={id}
      open={open}
      onToggle={(event) => {
        const isOpen = event.currentTarget.open;
        if (isOpen && !open) history.replaceState(history.state, '', `#${id}`);
        setOpen(isOpen);
      }}
      className="group/call scroll-mt-20 border-b border-line-1 last:border-b-0"
    >
      <summary className="flex list-none items-start gap-2 px-3 py-2.5 -outline-offset-2 touch:min-h-11 touch:py-3 transition-colors hover:bg-surface-2 sm:gap-3 sm:px-4 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden
          className="mt-0.5 shrink-0 text-ink-3 transition-transform group-open/call:rotate-90"
        />
        {summary}
      </summary>
      {open ? children : null}
    </details>
  );
}

interface OperationItemProps {
  operation: Operation;
  document: ApiDocument;
  /** Ends in `/api/v1`. */
  baseUrl: string;
  /** The address links to it. */
  wanted: boolean;
}

export function OperationItem({ operation, document: api, baseUrl, wanted }: OperationItemProps) {
  const { operationId, method, path, summary } = operation;
  const colour = method === 'DELETE' ? 'text-danger' : method === 'GET' ? 'text-info' : 'text-accent';
  return (
    <Disclosure
      id={operationId}
      wanted={wanted}
      summary={
        <>
          <span translate="no" className={`w-14 shrink-0 font-mono text-13 font-semibold ${colour}`}>
            {method}
          </span>
          <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4">
            <Code className="text-13">
              <Joints text={path} />
            </Code>
            <span className="text-14 text-ink-2">{summary}</span>
          </span>
        </>
      }
    >
      <OperationDetails operation={operation} document={api} baseUrl={baseUrl} />
    </Disclosure>
  );
}

type OperationDetailsProps = Omit<OperationItemProps, 'wanted'>;

function OperationDetails({ operation, document: api, baseUrl }: OperationDetailsProps) {
  const { description, parameters = [], requestBody, responses } = operation;
  return (
    <div className="flex flex-col gap-5 px-3 pt-2 pb-6 sm:pr-4 sm:pl-[3rem]">
      <div className="flex flex-col gap-1.5 text-14">
        {description === undefined ? null : (
          <p>
            <Prose text={description} />
          </p>
        )}
        <p className="text-ink-2">{credentialsOf(operation)}</p>
      </div>
      <TryPart operation={operation} document={api} baseUrl={baseUrl} />
      {PLACES.map(([place, title]) => {
        const here = parameters.filter((parameter) => parameter.in === place);
        if (here.length === 0) return null;
        return (
          <Part key={place} title={title}>
            <FieldList optional label={title} fields={parameterFields(here)} />
          </Part>
        );
      })}
      {requestBody?.content === undefined ? null : (
        <Part title="Body">
          <Body content={requestBody.content} shapes={api.components.schemas} />
        </Part>
      )}
      <Part title="Answers">
        <ul className="flex flex-col gap-3">
          {Object.entries(responses).map(([status, { description: meaning, content }]) => {
            const schema = content?.['application/json']?.schema;
            return (
              <li key={status} className="text-14">
                <p className="flex gap-3">
                  <Code className="nums w-8 shrink-0 text-13 leading-5 font-medium">{status}</Code>
                  <span className="text-ink-2">
                    {meaning}
                    {schema === undefined ? null : <ShapeLink schema={schema} />}
                  </span>
                </p>
                {schema?.properties === undefined || !status.startsWith('2') ? null : (
                  <div className="mt-2 sm:pl-11">
                    <FieldList label={`Answer ${status}`} fields={fieldsOf(schema)} />
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      </Part>
    </div>
  );
}

function TryPart(props: OperationDetailsProps) {
  const { operationId, responses } = props.operation;
  const [isOpen, setIsOpen] = useState(false);
  // A socket is no call.
  const canTry = !('101' in responses);
  return (
    <>
      <div className="flex gap-2">
        {isOpen || !canTry ? null : (
          <Button onClick={() => setIsOpen(true)}>
            <Play size={15} aria-hidden />
            Try it
          </Button>
        )}
        <CopyLink id={operationId} />
      </div>
      {isOpen ? (
        <Suspense fallback={<div aria-busy="true" className="h-9" />}>
          <TryIt {...props} />
        </Suspense>
      ) : null}
    </>
  );
}

function CopyLink({ id }: { id: string }) {
  const { copied, copy } = useCopy(`${location.href.split('#')[0]}#${id}`);
  const Icon = copied ? Check : Link2;
  return (
    <Button kind="quiet" className="only:-ml-3" onClick={() => void copy()}>
      <Icon size={15} aria-hidden />
      {copied ? 'Copied' : 'Copy link'}
    </Button>
  );
}

interface BodyProps {
  content: Record<string, { schema: Schema }>;
  /** By name, for bodies that are one of them. */
  shapes: Record<string, Schema>;
}

// Where two content types have the same shape, they share its list.
function Body({ content, shapes }: BodyProps) {
  const byShape = new Map<string, [string, { schema: Schema }][]>();
  for (const entry of Object.entries(content)) {
    const shape = JSON.stringify(entry[1].schema);
    byShape.set(shape, [...(byShape.get(shape) ?? []), entry]);
  }
  return [...byShape.values()].map((same) => {
    const given = same[0]?.[1].schema ?? {};
    const schema = shapes[typeOf(given).shape ?? ''] ?? given;
    const types = same.map(([type]) => type).join(' or ');
    const fields = fieldsOf(schema);
    return (
      <div key={types} className="mb-4 last:mb-0">
        <p className="mb-1.5 text-14 text-ink-2">
          <Code className="text-13">{types}</Code>
          <ShapeLink schema={given} />
          {schema.description === undefined ? null : (
            <>
              {' · '}
              <Prose text={schema.description} />
            </>
          )}
        </p>
        {fields.length === 0 ? null : <FieldList optional label={`Body as ${types}`} fields={fields} />}
      </div>
    );
  });
}

function ShapeLink({ schema }: { schema: Schema }) {
  const { text, shape } = typeOf(schema);
  if (shape === null) return null;
  return (
    <>
      {' · '}
      <a
        translate="no"
        href={`#shape-${shape}`}
        className="font-mono text-13 text-accent underline underline-offset-3"
      >
        {text}
      </a>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h4 className="mb-2 text-13 font-semibold text-ink-2">{title}</h4>
      {children}
    </div>
  );
}
