// Validates requests with the contract's schemas; errors say what is wrong with each field.
import fp from 'fastify-plugin';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { invalid } from '#core/errors.ts';
import { toDetails, type Issue } from './issues.ts';

/** Bodies are taken as they are; text in a query becomes the type that the schema names. */
export const validation = fp(
  async (app) => {
    app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
      const convert = httpPart === 'querystring' ? queryConverter(schema) : undefined;
      return (input: unknown) => {
        const validator = validatorOf(schema);
        const value = convert === undefined ? input : convert(input as Record<string, unknown>);
        if (validator.Check(value)) return { value };
        const issues =
          value === undefined || value === null ? missingBody(schema) : (validator.Errors(value) as Issue[]);
        return { error: invalid(toDetails(issues, schema)) };
      };
    });
  },
  { name: 'validation', dependencies: ['error-bodies'] },
);

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/** Compiled once for each schema: those of the contract and of adapters' forms do not change. */
export function validatorOf(schema: TSchema): ReturnType<typeof Compile> {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  return validator;
}

function queryConverter(schema: TSchema): (query: Record<string, unknown>) => Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {};
  return (query) => {
    const converted: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(query)) converted[name] = convertText(properties[name], text);
    return converted;
  };
}

/** Text as the type that its schema names; anything else stays, for the validator to refuse. */
export function convertText(schema: TSchema | undefined, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const { type } = (schema ?? {}) as { type?: string };
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

function missingBody(schema: TSchema): Issue[] {
  const required = (schema as { required?: string[] }).required ?? [];
  return [
    {
      keyword: 'required',
      schemaPath: '#',
      instancePath: '',
      params: { requiredProperties: required },
      message: 'must not be empty',
    },
  ];
}
