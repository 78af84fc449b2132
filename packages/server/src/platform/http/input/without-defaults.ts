import { z } from 'zod';

type WithoutDefaults<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodDefault<infer Field> ? Field : Shape[Name];
};

/** The fields of what is created, for changing it: a field that is left out stays as it is. */
export function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape): WithoutDefaults<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    field instanceof z.ZodDefault ? field.unwrap() : field,
  ]);
  return Object.fromEntries(fields) as WithoutDefaults<Shape>;
}
