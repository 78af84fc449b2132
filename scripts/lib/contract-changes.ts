/**
 * Finds the promises of a contract that a later one does not keep (decision 0116). A client of the earlier one would
 * trip over them.
 */

type Json = null | boolean | number | string | readonly Json[];

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  const?: Json;
  enum?: readonly Json[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

type Content = Readonly<Record<string, { schema?: Schema }>>;

interface Access {
  as?: string;
  role?: string;
  scope?: string | readonly string[];
  verified?: boolean;
}

interface Operation {
  operationId?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Readonly<Record<string, { $ref?: string; content?: Content }>>;
  'x-access'?: Access;
}

export interface Surface {
  info: { version: string };
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
  webhooks?: Readonly<Record<string, { post: Operation }>>;
}

/** One sentence for each promise that is not kept, in the order of the earlier contract. */
export function breakingChanges(before: Surface, after: Surface): string[] {
  const compare = comparing(before, after);
  const found = new Map(operationsOf(after).map((route) => [route.id, route]));
  const changes = operationsOf(before).flatMap((old) => {
    const now = found.get(old.id);
    if (!now) return [`${old.id}: is gone`];
    if (now.route !== old.route) return [`${old.id}: was ${old.route} and is ${now.route}`];
    return [
      ...accessChanges(old.id, old.operation['x-access'], now.operation['x-access']),
      ...parameterChanges(compare, old.id, old.operation.parameters, now.operation.parameters),
      ...bodyChanges(compare, old.id, old.operation.requestBody, now.operation.requestBody),
      ...answerChanges(compare, old.id, old.operation.responses, now.operation.responses),
    ];
  });
  const events = Object.entries(before.webhooks ?? {}).flatMap(([type, { post }]) => {
    const now = after.webhooks?.[type]?.post;
    if (!now) return [`webhook ${type}: is gone`];
    const [old, sent] = [post, now].map((each) => each.requestBody?.content['application/json']?.schema);
    return compare(`webhook ${type}`, old, sent, 'answered');
  });
  return [...new Set([...changes, ...events])];
}

function operationsOf({ paths }: Surface) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path}`;
      return { id: operation.operationId ?? route, route, operation };
    }),
  );
}

function accessChanges(id: string, old: Access = {}, now: Access = {}): string[] {
  const scopes = (access: Access) => [access.scope ?? []].flat();
  const lost = scopes(old).filter((scope) => !scopes(now).includes(scope));
  return [
    ...(old.as !== now.as && now.as !== 'public' ? [`${id}: was for ${old.as} and is for ${now.as}`] : []),
    ...(now.role !== undefined && now.role !== old.role ? [`${id}: is for ${now.role}s only`] : []),
    ...(scopes(now).length > 0 && scopes(old).length === 0 && old.as === now.as ? [`${id}: needs a scope`] : []),
    ...(scopes(now).length > 0 ? lost.map((scope) => `${id}: the scope ${scope} is not enough`) : []),
    ...(now.verified && !old.verified ? [`${id}: needs a verified email address`] : []),
  ];
}

type Way = 'sent' | 'answered';
type Compare = (place: string, old: Schema | undefined, now: Schema | undefined, way: Way) => string[];

function parameterChanges(
  compare: Compare,
  id: string,
  old: readonly Parameter[] = [],
  now: readonly Parameter[] = [],
): string[] {
  const same = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in;
  const kept = old.flatMap((each) => {
    const other = now.find(same(each));
    if (!other) return [`${id}: the ${each.in} parameter ${each.name} is gone`];
    const needed = other.required && !each.required ? [`${id}: the ${each.in} parameter ${each.name} is required`] : [];
    return [...needed, ...compare(`${id} ${each.in} ${each.name}`, each.schema, other.schema, 'sent')];
  });
  const added = now.filter((each) => each.required && !old.some(same(each)));
  return [...kept, ...added.map((each) => `${id}: the ${each.in} parameter ${each.name} is required`)];
}

function bodyChanges(
  compare: Compare,
  id: string,
  old: Operation['requestBody'],
  now: Operation['requestBody'],
): string[] {
  if (!now) return old ? [`${id}: takes no body`] : [];
  const needed = now.required && !old?.required ? [`${id}: a body is required`] : [];
  return [...needed, ...contentChanges(compare, `${id} body`, old?.content, now.content, 'sent')];
}

function answerChanges(
  compare: Compare,
  id: string,
  old: Operation['responses'] = {},
  now: Operation['responses'] = {},
): string[] {
  const successes = (answers: object) => Object.keys(answers).filter((status) => /^[23]/.test(status));
  return [
    ...successes(old).flatMap((status) =>
      now[status]
        ? contentChanges(compare, `${id} ${status}`, old[status]?.content, now[status]?.content, 'answered')
        : [`${id}: no longer answers ${status}`],
    ),
    // clients refuse what was not declared to them
    ...successes(now).flatMap((status) => (old[status] ? [] : [`${id}: answers ${status}`])),
  ];
}

function contentChanges(compare: Compare, place: string, old: Content = {}, now: Content = {}, way: Way): string[] {
  return Object.entries(old).flatMap(([type, { schema }]) =>
    now[type] ? compare(place, schema, now[type].schema, way) : [`${place}: ${type} is gone`],
  );
}

/** Compares two schemas at every depth, each pair of names once. */
function comparing(before: Surface, after: Surface): Compare {
  const compared = new Set<string>();
  const compare: Compare = (where, old, now, way) => {
    if (!old) return [];
    if (!now) return way === 'answered' ? [`${where}: is not described`] : [];
    const named = old.$ref !== undefined && now.$ref !== undefined;
    const pair = `${way} ${old.$ref} ${now.$ref}`;
    if (named && compared.has(pair)) return [];
    if (named) compared.add(pair);
    const place = named ? nameOf(old.$ref) : where;
    const [olds, nows] = [alternatives(before, old), alternatives(after, now)];
    // accepted values have to stay accepted; answered values have to be expected ones
    const [each, among] = way === 'sent' ? [olds, nows] : [nows, olds];
    return each.flatMap((one) => {
      const alike = among.filter((other) => (way === 'sent' ? takes(other, one) : takes(one, other, true)));
      if (alike.length === 0) return isAddition(one, among, way) ? [] : [`${place}: ${says(way)} ${kindOf(one)}`];
      const differences = alike.map((other) =>
        way === 'sent' ? within(place, one, other, way) : within(place, other, one, way),
      );
      return differences.sort((a, b) => a.length - b.length)[0] ?? [];
    });
  };
  const within = (place: string, old: Schema, now: Schema, way: Way): string[] => [
    ...(way === 'sent' ? narrowed(place, old, now) : []),
    ...(old.format !== undefined && way === 'answered' && old.format !== now.format
      ? [`${place}: the format was ${old.format} and is ${now.format ?? 'any'}`]
      : []),
    ...fieldChanges(compare, place, old, now, way),
    ...(old.items && now.items ? compare(`${place}[]`, old.items, now.items, way) : []),
    ...(typeof old.additionalProperties === 'object' && typeof now.additionalProperties === 'object'
      ? compare(`${place}.*`, old.additionalProperties, now.additionalProperties, way)
      : []),
  ];
  return compare;
}

const nameOf = (ref = '') => ref.slice(ref.lastIndexOf('/') + 1);
const says = (way: Way) => (way === 'sent' ? 'no longer takes' : 'can be');

function fieldChanges(compare: Compare, place: string, old: Schema, now: Schema, way: Way): string[] {
  const [had, has] = [old.properties ?? {}, now.properties ?? {}];
  const [needed, needs] = [old.required ?? [], now.required ?? []];
  const kept = Object.entries(had).flatMap(([name, schema]) => {
    const other = has[name];
    if (!other) return [`${place}.${name}: is gone`];
    const rarer = way === 'answered' && needed.includes(name) && !needs.includes(name);
    return [...(rarer ? [`${place}.${name}: can be missing`] : []), ...compare(`${place}.${name}`, schema, other, way)];
  });
  const asked = way === 'sent' ? needs.filter((name) => !needed.includes(name)) : [];
  return [...kept, ...asked.map((name) => `${place}.${name}: is required`)];
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** Values that could be sent and are refused now. */
function narrowed(place: string, old: Schema, now: Schema): string[] {
  const [had, has] = [valuesOf(old), valuesOf(now)];
  const lost = has ? (had?.filter((value) => !has.includes(value)) ?? ['all others']) : [];
  return [
    ...lost.map((value) => `${place}: no longer takes ${value}`),
    ...LEAST.filter((bound) => (now[bound] ?? Number.NEGATIVE_INFINITY) > (old[bound] ?? Number.NEGATIVE_INFINITY)).map(
      (bound) => `${place}: ${bound} is ${now[bound]}`,
    ),
    ...MOST.filter((bound) => (now[bound] ?? Number.POSITIVE_INFINITY) < (old[bound] ?? Number.POSITIVE_INFINITY)).map(
      (bound) => `${place}: ${bound} is ${now[bound]}`,
    ),
    ...(['pattern', 'format'] as const)
      .filter((rule) => now[rule] !== undefined && now[rule] !== old[rule])
      .map((rule) => `${place}: the ${rule} is ${now[rule]}`),
  ];
}

function valuesOf({ enum: several, const: one }: Schema): string[] | undefined {
  const values = one === undefined ? several : [one];
  return values?.map((value) => JSON.stringify(value));
}

/** A schema as the alternatives that it allows, each of one type, without references. */
function alternatives(contract: Surface, schema: Schema): Schema[] {
  if (schema.$ref !== undefined) {
    const target = contract.components.schemas[nameOf(schema.$ref)];
    if (!target) throw new Error(`The contract has no ${schema.$ref}.`);
    return alternatives(contract, target);
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.flatMap((each) => alternatives(contract, each));
  if (schema.allOf) {
    const parts = schema.allOf.flatMap((each) => alternatives(contract, each));
    const { allOf: _, ...own } = schema;
    return [[...parts, own].reduce(merged, {})];
  }
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => ({ ...schema, type }));
  return [schema];
}

const merged = (one: Schema, other: Schema): Schema => ({
  ...one,
  ...other,
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});

function kindOf(schema: Schema): string {
  if (typeof schema.type === 'string') return schema.type;
  if (schema.properties) return 'object';
  const [first] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (first === undefined) return 'anything';
  return first === null ? 'null' : typeof first;
}

/** Whether a schema allows the other's type, and of tagged objects the other's tag. */
function takes(one: Schema, other: Schema, backwards = false): boolean {
  const [wide, narrow] = backwards ? [other, one] : [one, other];
  const [a, b] = [kindOf(wide), kindOf(narrow)];
  if (a !== b && a !== 'anything' && !(a === 'number' && b === 'integer')) return false;
  return tagOf(wide) === undefined || tagOf(narrow) === undefined || tagOf(wide) === tagOf(narrow);
}

/** The constant field that distinguishes the objects of a union. */
function tagOf({ properties = {} }: Schema): string | undefined {
  const [tag] = Object.entries(properties).filter(([, each]) => typeof each.const === 'string');
  return tag && `${tag[0]}=${tag[1].const}`;
}

/** Whether this is a new kind of a tagged object. Clients ignore the kinds that they do not know. */
function isAddition(one: Schema, among: readonly Schema[], way: Way): boolean {
  return way === 'answered' && tagOf(one) !== undefined && among.some((other) => tagOf(other) !== undefined);
}

const WORDS = new Set(['description', 'summary', 'example', 'examples', 'tags', 'default', 'security']);

/** The part of a contract that is kept for the comparison: no words, no examples, no refusals. */
export function surfaceOf({ info, paths, components, webhooks }: Surface): Surface {
  const kept = { info: { version: info.version }, paths, webhooks, components: { schemas: components.schemas } };
  return bare(kept, false) as Surface;
}

/** @param named whether its keys are names that somebody chose, not OpenAPI's. */
function bare(value: unknown, named: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => bare(each, false));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || (!WORDS.has(key) && !/^[45]\d\d$/.test(key)))
      .map(([key, each]) => [key, bare(each, !named && (key === 'properties' || key === 'schemas'))]),
  );
}
