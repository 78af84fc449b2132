import { validatorCompiler } from 'fastify-type-provider-zod';

type Compiler = typeof validatorCompiler;

/**
 * Validates by zod, and reads what clients send for *nothing*: a parameter without a value (`?startDate=&endDate=`)
 * is one that was left out, and where a body is missing, the error names the fields that it needs.
 */
export const compileValidator: Compiler = (route) => {
  const validate = validatorCompiler(route);
  if (route.httpPart === 'querystring') return (query: unknown) => validate(withoutBlanks(query));
  if (route.httpPart !== 'body') return validate;
  return (body: unknown) => {
    const result = validate(body);
    const isRefused = typeof result === 'object' && 'error' in result && result.error !== undefined;
    return isRefused && (body === undefined || body === null) ? validate({}) : result;
  };
};

function withoutBlanks(query: unknown): unknown {
  if (query === null || typeof query !== 'object') return query;
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
