import { type Content, type Contract, type Route, resolved, type Schema } from './contract.ts';

/** The call of an operation in a few lines, with the contract's own example where it has one. */
export function exampleOf(
  contract: Contract,
  place: string,
  route: Route,
  path: { argument: string }[],
  takes: string[],
): string[] {
  const body = Object.values(route.requestBody?.content ?? {})[0];
  const needed = (route.parameters ?? []).filter((parameter) => parameter.required);
  const values: Record<string, string | undefined> = {
    body: body && bodyOf(contract, body),
    query: literalOf(
      contract,
      needed.filter(({ in: where }) => where === 'query'),
    ),
    headers: literalOf(
      contract,
      needed.filter(({ in: where }) => where === 'header'),
    ),
  };
  const given = [...path.map(({ argument }) => argument), ...takes.map((part) => values[part] ?? '{}')];
  // optional values are left out
  const least = path.length + (route.requestBody?.required ? 1 : 0);
  while (given.at(-1) === '{}' && given.length > least) given.pop();
  const call = `${place}(${given.join(', ')})`;
  const types = successOf(route)?.content ?? {};
  if ('text/event-stream' in types)
    return ['for await (const event of watchEvents(client, { signal })) console.log(event.type, event.data);'];
  if (Object.keys(types).length === 0)
    return [
      `const { response } = await client.withResponse.${call};`,
      "console.log(response.headers.get('location'));",
    ];
  const name = resultName(route);
  // not the name of a variable that the call itself takes
  const free = new RegExp(`\\b${name}\\b`).test(given.join(' ')) ? 'answer' : name;
  return `const ${free} = await client.${call};`.split('\n');
}

function bodyOf(contract: Contract, content: Content): string {
  const example = content.example ?? Object.values(content.examples ?? {})[0]?.value;
  if (example !== undefined) return script(example);
  if (content.schema?.format === 'binary') return 'blob';
  return sample(contract, content.schema, '');
}

function literalOf(contract: Contract, parameters: { name: string; schema: Schema }[]): string {
  return object(parameters.map(({ name, schema }) => [name, sample(contract, schema, name)]));
}

/** A value that matches a schema: its example, or one suggested by its type and name. */
function sample(contract: Contract, given: Schema | undefined, name: string): string {
  const schema = resolved(contract, given) ?? {};
  const known = schema.examples?.[0] ?? schema.example ?? schema.default ?? schema.enum?.[0];
  if (known !== undefined) return script(known);
  const part = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.find(({ type }) => type !== 'null');
  if (part) return sample(contract, part, name);
  if (schema.type === 'object' || schema.properties) {
    // if nothing is required, one optional field serves as an example
    const [first] = Object.keys(schema.properties ?? {});
    const required = schema.required?.length ? schema.required : first ? [first] : [];
    return object(required.map((each) => [each, sample(contract, schema.properties?.[each], each)]));
  }
  if (schema.format === 'binary') return name || 'file';
  if (schema.type === 'array') return `[${schema.items ? sample(contract, schema.items, name.replace(/s$/, '')) : ''}]`;
  if (schema.type === 'boolean') return 'true';
  if (schema.type === 'integer' || schema.type === 'number') return String(schema.minimum ?? 1);
  // a variable that the reader has: an id, a token, a code
  return camel(name || 'value');
}

function object(entries: [string, string][]): string {
  const fields = entries.map(([name, value]) =>
    name === value ? name : `${/^\w+$/.test(name) ? name : `'${name}'`}: ${value}`,
  );
  if (fields.length === 0) return '{}';
  const line = `{ ${fields.join(', ')} }`;
  return line.length <= 80 ? line : `{\n  ${fields.join(',\n').replaceAll('\n', '\n  ')},\n}`;
}

function camel(name: string): string {
  return name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** JSON as it is written in a program. */
function script(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map(script).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  return object(Object.entries(value).map(([name, each]) => [name, script(each)]));
}

/** The variable for the result: `product` for a `Product`, `products` for a list of them. */
function resultName(route: Route): string {
  const schema = successOf(route)?.content?.['application/json']?.schema;
  const of = (each: Schema | undefined) => each?.$ref?.split('/').at(-1);
  const name = of(schema) ?? (of(schema?.items) ? `${of(schema?.items)}s` : undefined);
  if (name === undefined) return schema ? 'answer' : 'text';
  // a reserved word
  return name === 'Import' ? 'imported' : `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function successOf({ responses }: Route) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
}
