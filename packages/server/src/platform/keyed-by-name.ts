import { z } from 'zod';

/**
 * An object keyed by names that people choose. It has no prototype, so `__proto__` and `constructor` are names like any
 * other, both when they are set and when they are looked up.
 */
export function keyedByName<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const object: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) object[name] = value;
  return object;
}

/** The schema of such an object: zod's own records leave out the key `__proto__`. */
export function byName<Value extends z.ZodType>(value: Value, description = ''): z.ZodRecord<z.ZodString, Value> {
  const record = z.record(z.string(), value);
  const schema = description === '' ? record : record.describe(description);
  const refuse = schema._zod.run;
  const run: typeof refuse = (payload, context) => {
    const input: unknown = payload.value;
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return refuse(payload, context);
    const output = keyedByName<unknown>();
    for (const [name, each] of Object.entries(input)) {
      const result = value._zod.run({ value: each, issues: [] }, context);
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      payload.issues.push(...z.core.util.prefixIssues(name, result.issues));
      output[name] = result.value;
    }
    payload.value = output as typeof payload.value;
    return payload;
  };
  schema._zod.run = run;
  schema._zod.parse = run;
  return schema;
}
