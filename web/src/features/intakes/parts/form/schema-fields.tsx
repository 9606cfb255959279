// The fields of a form from the JSON schema of an adapter.
import { CheckBox } from '../../../../ui/check-box.tsx';
import { Field, INPUT, SelectField, TextField } from '../../../../ui/field.tsx';
import { Fold } from '../fold.tsx';
import { errorAt, type FieldErrors } from '../../model/field-errors.ts';
import { linesOf, type FieldValue, type FieldValues, type FormField } from '../../model/schema-form.ts';
import { SecretField } from './secret-field.tsx';

const NONE: ReadonlySet<string> = new Set();

interface SchemaFieldsProps {
  fields: readonly FormField[];
  values: FieldValues;
  onChange: (values: FieldValues) => void;
  /** The prefix of the fields' names in the server's errors: `verification`. */
  path: string;
  errors: FieldErrors | null;
  disabled: boolean;
  /** Names of secrets that the server has already. */
  stored?: ReadonlySet<string>;
  removed?: ReadonlySet<string>;
  onRemove?: (name: string, remove: boolean) => void;
}

export function SchemaFields({ fields, ...rest }: SchemaFieldsProps) {
  // An optional secret is for the time when the first one is replaced.
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
          wanted={spare.some(({ name }) => isInUse(name, rest))}
        >
          {spare.map((field) => (
            <OneField key={field.name} field={field} {...rest} />
          ))}
        </Fold>
      )}
    </>
  );
}

function isInUse(name: string, { path, errors, stored = NONE }: Omit<SchemaFieldsProps, 'fields'>): boolean {
  return stored.has(name) || errorAt(errors, `${path}/${name}`) !== undefined;
}

function OneField({
  field,
  values,
  onChange,
  path,
  errors,
  disabled,
  stored = NONE,
  removed = NONE,
  onRemove,
}: Omit<SchemaFieldsProps, 'fields'> & { field: FormField }) {
  const { name, title, description, kind, required } = field;
  const value = values[name] ?? field.initial;
  const text = asText(value);
  const error = errorAt(errors, `${path}/${name}`);
  const set = (next: FieldValue) => onChange({ ...values, [name]: next });
  const shared = { label: title, hint: description, error, disabled, required };

  switch (kind) {
    case 'secret':
      return (
        <SecretField
          field={field}
          value={text}
          onChange={set}
          error={error}
          disabled={disabled}
          stored={stored.has(name)}
          removed={removed.has(name)}
          onRemove={(remove) => onRemove?.(name, remove)}
        />
      );
    case 'switch':
      return (
        <CheckBox
          label={title}
          hint={description ?? undefined}
          checked={value === true}
          disabled={disabled}
          onChange={set}
        />
      );
    case 'choice':
      return (
        <SelectField
          {...shared}
          value={text}
          onChange={set}
          options={[
            ...(required || field.initial !== '' ? [] : [{ value: '', label: 'Not set' }]),
            ...field.options.map((option) => ({ value: option, label: option })),
          ]}
        />
      );
    case 'lines':
      return (
        <Field label={title} hint={description} error={error}>
          {(control) => (
            <textarea
              {...control}
              disabled={disabled}
              required={required}
              rows={2}
              value={linesOf(value).join('\n')}
              placeholder="One on each line"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => set(event.target.value.split('\n'))}
              className={`${INPUT} field-sizing-content min-h-16 py-2`}
            />
          )}
        </Field>
      );
    case 'number':
    case 'text':
      return (
        <TextField
          {...shared}
          type={kind}
          value={text}
          min={field.minimum ?? undefined}
          max={field.maximum ?? undefined}
          step={kind === 'number' && !field.isWhole ? 'any' : undefined}
          maxLength={field.maxLength ?? undefined}
          autoCapitalize="off"
          spellCheck={false}
          onChange={set}
        />
      );
  }
}

function asText(value: FieldValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
