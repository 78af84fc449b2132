type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

type AsFields<Values> = { [Name in keyof Values & string as SnakeCase<Name>]: Values[Name] };

/** Values of options by the API's names: `--short-desc` is `short_desc`. */
export function asFields<Values extends object>(values: Values): AsFields<Values> {
  const fields = Object.entries(values).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(fields) as AsFields<Values>;
}
