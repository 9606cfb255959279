// The fields of a request: its parameters by their place, and its body.
import { Field, INPUT, SelectField, TextField } from '../../../../ui/field.tsx';
import type { ApiDocument, Operation, Parameter } from '../../model/document.ts';
import { BODY, bodySample, fieldId, isList, type Draft, type DraftErrors } from '../../model/request.ts';

const PLACES: [Parameter['in'], string][] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
];
const MIN_LINES = 3;
const MAX_LINES = 18;

interface RequestFieldsProps {
  operation: Operation;
  document: ApiDocument;
  draft: Draft;
  errors: DraftErrors;
  onChange: (draft: Draft) => void;
}

export function RequestFields({ operation, document: api, draft, errors, onChange }: RequestFieldsProps) {
  const { parameters = [], requestBody } = operation;
  const types = Object.keys(requestBody?.content ?? {});
  const setValue = (id: string, value: string) =>
    onChange({ ...draft, values: { ...draft.values, [id]: value } });
  return (
    <>
      {PLACES.map(([place, title]) => {
        const here = parameters.filter((parameter) => parameter.in === place);
        if (here.length === 0) return null;
        const fields = here.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={draft.values[fieldId(parameter)] ?? ''}
            error={errors[fieldId(parameter)]}
            onChange={(value) => setValue(fieldId(parameter), value)}
          />
        ));
        // What is seldom sent does not stand between the rest.
        if (place === 'path') return <div key={place}>{fields}</div>;
        return (
          <details key={place} className="group/more rounded-sm" open={place === 'query'}>
            <summary className="w-fit rounded-sm text-13 font-semibold text-ink-2 hover:text-ink-1">
              {title}
            </summary>
            <div className="mt-2 grid gap-3 sm:grid-cols-2">{fields}</div>
          </details>
        );
      })}
      {types.length < 2 ? null : (
        <SelectField
          label="Content type"
          value={draft.contentType}
          options={types.map((type) => ({ value: type, label: type }))}
          onChange={(contentType) =>
            onChange({ ...draft, contentType, body: bodySample(operation, api, contentType) })
          }
        />
      )}
      {draft.contentType === '' ? null : (
        <BodyField text={draft.body} error={errors[BODY]} onChange={(body) => onChange({ ...draft, body })} />
      )}
    </>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function ParameterField({ parameter, value, error, onChange }: ParameterFieldProps) {
  const { name, schema, required } = parameter;
  const choices = schema.enum?.map(String) ?? (schema.type === 'boolean' ? ['true', 'false'] : null);
  if (choices !== null)
    return (
      <SelectField
        label={name}
        error={error}
        value={value}
        onChange={onChange}
        options={[
          ...(required === true ? [] : [{ value: '', label: 'Not sent' }]),
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
      />
    );
  return (
    <TextField
      label={name}
      error={error}
      value={value}
      onChange={onChange}
      placeholder={required === true ? '' : 'Not sent'}
      hint={isList(schema) ? 'Several: with commas between them' : null}
      inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
      spellCheck={false}
      className="h-10 font-mono"
    />
  );
}

interface BodyFieldProps {
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function BodyField({ text, error, onChange }: BodyFieldProps) {
  const lines = Math.min(MAX_LINES, Math.max(MIN_LINES, text.split('\n').length));
  return (
    <Field label="Body" error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={lines}
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          className={`${INPUT} resize-y py-2 font-mono text-13`}
        />
      )}
    </Field>
  );
}
