import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

type Compiler = typeof validatorCompiler;

/**
 * Validates by zod, and reads what clients send for *nothing*: an optional parameter without a value
 * (`?startDate=&endDate=`) is one that was left out, and where a body is missing, the error names the fields that it needs.
 */
export const compileValidator: Compiler = (route) => {
  const validate = validatorCompiler(route);
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

function optionalKeys(schema: unknown): ReadonlySet<string> {
  if (!(schema instanceof z.ZodObject)) return new Set();
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  return new Set(fields.filter(([, field]) => field.safeParse(undefined).success).map(([key]) => key));
}

function withoutBlanks(query: unknown, optional: ReadonlySet<string>): unknown {
  if (query === null || typeof query !== 'object') return query;
  return Object.fromEntries(Object.entries(query).filter(([key, value]) => value !== '' || !optional.has(key)));
}
