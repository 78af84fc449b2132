import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

type Compiler = typeof validatorCompiler;

/**
 * Validates by zod, and reads what clients send for *nothing*: an optional parameter without a value
 * (`?startDate=&endDate=`) is one that was left out, and where a body is missing, the error names the fields that it needs.
 */
export const compileValidator: Compiler = (route) => {
  const validate = compiledLate(route);
  if (route.httpPart === 'querystring') {
    const optional = optionalKeys(route.schema);
    return (query: unknown) => validate(withoutBlanks(query, optional));
  }
  if (route.httpPart !== 'body') return validate;
  return (body: unknown) => {
    const result = validate(body);
    const isRefused = typeof result === 'object' && 'error' in result && result.error !== undefined;
    return isRefused && (body === undefined || body === null) ? validate({}) : result;
  };
};

/** Compiles a schema when it is first needed: all of them at once would take longer than the server's start. */
const compiledLate: Compiler = (route) => {
  let validate: ReturnType<Compiler> | undefined;
  return (data: unknown) => {
    validate ??= validatorCompiler({ ...route, schema: compiled(route.schema) });
    return validate(data);
  };
};

/** Several times as fast as what zod interprets. What it refuses is worded by the schema itself. */
const compiled = <Schema>(schema: Schema): Schema => (schema instanceof z.ZodType ? z.compile(schema) : schema);

function optionalKeys(schema: unknown): ReadonlySet<string> {
  if (!(schema instanceof z.ZodObject)) return new Set();
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  return new Set(fields.filter(([, field]) => field.safeParse(undefined).success).map(([key]) => key));
}

function withoutBlanks(query: unknown, optional: ReadonlySet<string>): unknown {
  if (query === null || typeof query !== 'object') return query;
  return Object.fromEntries(Object.entries(query).filter(([key, value]) => value !== '' || !optional.has(key)));
}
