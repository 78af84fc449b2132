import { STATUS_CODES } from 'node:http';
import { webhookContract } from '#features/webhooks';
import { examples } from './examples.ts';
import { fields } from './fields.ts';
import { description, tags } from './overview.ts';
import { refusals } from './refusals.ts';

interface Schema {
  $ref?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
}
interface Content {
  schema?: Schema;
  example?: unknown;
}
interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}
interface Operation {
  operationId?: string;
  parameters?: { name: string; description?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses?: Record<string, Answer>;
}
interface Contract {
  info?: { description?: string };
  tags?: { name: string; description: string }[];
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Answer> };
  webhooks?: Record<string, object>;
}

const inOrder = <Value>(named: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Adds to the contract what routes and schemas leave out: what fields mean, examples, and what statuses mean. */
export function complete<Document extends object>(document: Document): Document {
  const contract = document as Contract;
  const { info, components } = contract;
  if (info) info.description = description;
  contract.tags = tags;
  // sorted by address and by name, whichever feature was added or file was loaded first
  const paths = inOrder(contract.paths ?? {});
  contract.paths = paths;
  if (components?.schemas) components.schemas = inOrder(components.schemas);
  contract.webhooks = webhookContract();
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) describe(schema, [name]);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) completeOne(operation);
  if (components) components.responses = shareRefusals(operations);
  return document;
}

/** Leaves references where operations are refused in the same words. A refusal with an example of its own stays where it is. */
function shareRefusals(operations: readonly Operation[]): Record<string, Answer> {
  const shared: Record<string, Answer> = {};
  for (const { responses = {} } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      const [content] = Object.values(answer.content ?? {});
      const schema = content?.schema?.$ref?.split('/').at(-1);
      if (Number(status) < 400 || !schema || content?.example !== undefined) continue;
      const words = (STATUS_CODES[status] ?? `Status${status}`).replace(/\W/g, '');
      const name = schema === 'Problem' ? words : `${schema}${words}`;
      shared[name] ??= answer;
      if (shared[name].description === answer.description)
        responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return inOrder(shared);
}

function completeOne(operation: Operation): void {
  const { operationId = '', parameters = [], requestBody, responses = {} } = operation;
  for (const parameter of parameters) {
    if (parameter.schema) simplify(parameter.schema);
    const own = parameter.description ?? parameter.schema?.description;
    const text = own ?? meaningOf([operationId, parameter.name]);
    if (text) parameter.description = text;
  }
  const example = examples[operationId];
  for (const [type, content] of Object.entries(requestBody?.content ?? {})) {
    describe(content.schema, [operationId]);
    // a file in a form has no form in JSON
    if (example?.request !== undefined && !/octet-stream/.test(type)) content.example = example.request;
  }
  for (const [status, response] of Object.entries(responses)) {
    for (const content of Object.values(response.content ?? {})) describe(content.schema, [operationId]);
    const [type, answer] = Object.entries(response.content ?? {})[0] ?? [];
    if (answer && type && example?.answers?.[status] !== undefined) answer.example = example.answers[status];
    if (response.description === 'Default Response') response.description = meaningOfStatus(status, answer);
  }
}

function meaningOfStatus(status: string, content: Content | undefined): string {
  const name = content?.schema?.$ref?.split('/').at(-1);
  if (name === 'LicenseAnswer' || name === 'HiseAnswer') {
    const statuses = refusals[Number(status)];
    if (statuses) return statuses.map((each) => `\`${each}\``).join(', ');
  }
  if (status === '201') return 'Created';
  return status.startsWith('2') ? 'Done' : 'Refused';
}

/** Describes a schema's properties, at every depth. `path` leads to it from the schema or operation it belongs to. */
function describe(schema: Schema | undefined, path: string[]): void {
  if (!schema) return;
  simplify(schema);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const text = property.description ?? meaningOf([...path, name]);
    if (text) property.description = text;
    describe(property, [...path, name]);
  }
  const { items, additionalProperties, anyOf = [], allOf = [], oneOf = [] } = schema;
  for (const part of [items, ...anyOf, ...allOf, ...oneOf]) describe(part, path);
  if (typeof additionalProperties === 'object') describe(additionalProperties, path);
}

/** Removes what zod adds by itself and nobody needs: the bounds of a safe integer, the pattern of a format, and a choice of one. */
function simplify(schema: Schema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'uuid') delete schema.pattern;
  const [only, another] = schema.anyOf ?? [];
  if (!only || another) return;
  delete schema.anyOf;
  Object.assign(schema, { ...only, ...schema });
}

/** The most exact entry: the whole path, the owner with the name, the two last names, the name. */
function meaningOf(path: string[]): string | undefined {
  const [owner, name] = [path[0], path.at(-1)];
  const keys = [path.join('.'), `${owner}.${name}`, path.slice(-2).join('.'), String(name)];
  return keys.map((key) => fields[key]).find((text) => text !== undefined);
}
