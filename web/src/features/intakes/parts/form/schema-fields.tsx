// The fields of a form that is made of a schema: what an adapter says it needs is all that is known of them here.
import { CheckBox } from '../../../../ui/check-box.tsx';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { Fold } from '../fold.tsx';
import { errorAt, type FieldErrors } from '../../model/field-errors.ts';
import { linesOf, type FieldValue, type FieldValues, type FormField } from '../../model/fields.ts';
import { SecretField } from './secret-field.tsx';

const NOTHING: ReadonlySet<string> = new Set();

interface SchemaFieldsProps {
  fields: readonly FormField[];
  values: FieldValues;
  onChange: (values: FieldValues) => void;
  /** Before each field's name in what the server finds wrong: `verification`. */
  path: string;
  faults: FieldErrors | null;
  disabled: boolean;
  /** Names of secrets that the server has already. */
  kept?: ReadonlySet<string>;
  forgotten?: ReadonlySet<string>;
  onForget?: (name: string, forget: boolean) => void;
}

export function SchemaFields({ fields, ...rest }: SchemaFieldsProps) {
  // A secret that may be left out is there for the day when the first one is changed.
  const isSpare = ({ kind, required }: FormField) => kind === 'secret' && !required;
  const spare = fields.filter(isSpare);
  return (
    <>
      {fields
        .filter((field) => !isSpare(field))
        .map((field) => (
          <OneField key={field.name} field={field} {...rest} />
        ))}
      {spare.length === 0 ? null : (
        <Fold
          label={spare.length === 1 ? (spare[0]?.title ?? '') : 'Optional secrets'}
          wanted={spare.some(({ name }) => hasNews(name, rest))}
        >
          {spare.map((field) => (
            <OneField key={field.name} field={field} {...rest} />
          ))}
        </Fold>
      )}
    </>
  );
}

function hasNews(name: string, { path, faults, kept = NOTHING }: Omit<SchemaFieldsProps, 'fields'>): boolean {
  return kept.has(name) || errorAt(faults, `${path}/${name}`) !== undefined;
}

function OneField({
  field,
  values,
  onChange,
  path,
  faults,
  disabled,
  kept = NOTHING,
  forgotten = NOTHING,
  onForget,
}: Omit<SchemaFieldsProps, 'fields'> & { field: FormField }) {
  const value = values[field.name] ?? field.initial;
  const error = errorAt(faults, `${path}/${field.name}`);
  const set = (next: FieldValue) => onChange({ ...values, [field.name]: next });
  const hint = field.description === null ? {} : { hint: field.description };

  if (field.kind === 'secret')
    return (
      <SecretField
        field={field}
        value={asText(value)}
        onChange={set}
        error={error}
        disabled={disabled}
        kept={kept.has(field.name)}
        forgotten={forgotten.has(field.name)}
        onForget={(forget) => onForget?.(field.name, forget)}
      />
    );
  if (field.kind === 'switch')
    return (
      <CheckBox label={field.title} checked={value === true} disabled={disabled} onChange={set} {...hint} />
    );
  return (
    <Field label={field.title} error={error} {...hint}>
      {(control) => {
        const shared = { ...control, disabled, required: field.required };
        if (field.kind === 'choice')
          return (
            <select
              {...shared}
              value={asText(value)}
              onChange={(event) => set(event.target.value)}
              className={`${INPUT} h-10`}
            >
              {field.required || field.initial !== '' ? null : <option value="">Not set</option>}
              {field.options.map((option) => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </select>
          );
        if (field.kind === 'lines')
          return (
            <textarea
              {...shared}
              rows={2}
              value={linesOf(value).join('\n')}
              placeholder="One on each line"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => set(event.target.value.split('\n'))}
              className={`${INPUT} field-sizing-content min-h-16 py-2`}
            />
          );
        return (
          <input
            {...shared}
            type={field.kind === 'number' ? 'number' : 'text'}
            value={asText(value)}
            min={field.minimum ?? undefined}
            max={field.maximum ?? undefined}
            step={field.kind === 'number' && !field.isWhole ? 'any' : undefined}
            maxLength={field.maxLength ?? undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => set(event.target.value)}
            className={`${INPUT} h-10`}
          />
        );
      }}
    </Field>
  );
}

function asText(value: FieldValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
