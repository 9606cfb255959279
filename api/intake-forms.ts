// Checks what an owner filled into an adapter's form against that form, and fills in its defaults.
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { CheckForm } from '#core/services/intake-settings.ts';
import { toDetails } from './plugins/issues.ts';

const compiled = new WeakMap<object, ReturnType<typeof Compile>>();

/** A form is a flat object; numbers and switches may come as text, as web forms send them. */
export const checkForm: CheckForm = (form, given, path) => {
  const properties = (form as { properties: Record<string, TSchema> }).properties;
  const values: Record<string, unknown> = {};
  const details = Object.keys(given)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({ field: `${path}${name}`, message: 'is not a field of this form' }));
  for (const [name, schema] of Object.entries(properties)) {
    const value = fromText(schema, given[name]);
    const fallback = (schema as { default?: unknown }).default;
    if (value !== undefined) values[name] = value;
    else if (fallback !== undefined) values[name] = fallback;
  }
  const validator = validatorOf(form);
  if (!validator.Check(values))
    for (const { field, message } of toDetails(validator.Errors(values), form))
      details.push({ field: `${path}${field}`, message });
  return { values, details };
};

function validatorOf(form: TObject): ReturnType<typeof Compile> {
  let validator = compiled.get(form);
  if (validator === undefined) {
    validator = Compile(form);
    compiled.set(form, validator);
  }
  return validator;
}

// An empty field of a form is one that was not filled in.
function fromText(schema: TSchema, value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  const { type } = schema as { type?: string };
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  return value;
}
