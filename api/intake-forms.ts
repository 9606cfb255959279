// Checks an owner's input against an adapter's form, and fills in the form's defaults.
import type { TSchema } from 'typebox';
import type { CheckForm } from '#core/services/intakes/settings.ts';
import { toDetails } from './plugins/issues.ts';
import { convertText, validatorOf } from './plugins/validation.ts';

/** A form is a flat object. An empty field was not filled in; numbers and switches may come as text. */
export const checkForm: CheckForm = (form, given, path) => {
  const properties = (form as { properties: Record<string, TSchema> }).properties;
  const values: Record<string, unknown> = {};
  const details = Object.keys(given)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({ field: `${path}${name}`, message: 'is not a field of this form' }));
  for (const [name, schema] of Object.entries(properties)) {
    const input = given[name];
    const value = input === null || input === '' ? undefined : convertText(schema, input);
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
