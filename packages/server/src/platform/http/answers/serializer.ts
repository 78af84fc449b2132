import { serializerCompiler } from 'fastify-type-provider-zod';
import type { $ZodType, ParsePayload } from 'zod/v4/core';

/** Every value has the type that is declared; its format, length and range are taken as they are. */
const TYPES_ALONE = { direction: 'backward', async: false, skipChecks: true } as const;

/**
 * Writes answers by their schemas: nothing undeclared, moments as text. What a text looks like was decided when it came in or was made,
 * and to look again takes longer than to write it; tests do.
 */
export const typedSerializer: typeof serializerCompiler = (route) => {
  const schema = route.schema as $ZodType | { properties: $ZodType };
  const { _zod } = '_zod' in schema ? schema : schema.properties;
  const strict = serializerCompiler(route);
  return (data) => {
    const { value, issues } = _zod.run({ value: data, issues: [] }, TYPES_ALONE) as ParsePayload;
    // it words what is wrong
    return issues.length === 0 ? JSON.stringify(value) : strict(data);
  };
};

/** The same for tests: refuses what a schema would refuse, and what its checks change or choose by. */
export const strictSerializer: typeof serializerCompiler = (route) => {
  const [strict, typed] = [serializerCompiler(route), typedSerializer(route)];
  return (data) => {
    const text = strict(data);
    if (typed(data) !== text) throw new Error(`${route.method} ${route.url} is answered otherwise without checks`);
    return text;
  };
};
