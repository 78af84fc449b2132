import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Kind, Principal } from './access.ts';
import { mayRead, WITHHELD_HEADER, withheldFrom, withheldText } from './kinds.ts';

/** The contract marks such fields with it, too. */
export const KIND = 'x-kind';

/**
 * A field of an answer that an access token may not be told without the scope of its kind: it is null then. To be applied last,
 * and to what may be null, unless the scope of every route that answers it implies the kind.
 */
export const dataOf = <Schema extends z.ZodType>(kind: Kind, schema: Schema): Schema => schema.meta({ [KIND]: kind });

/** The places in a value that have data of some kind. */
interface Places {
  kind?: Kind;
  fields: Map<string, Places>;
  /** Places in all elements of an array, or in all values of a record. */
  each?: Places;
}

type Def = z.core.$ZodTypes['_zod']['def'];
const known = new WeakMap<z.core.$ZodType, Places | null>();

/** Null: nowhere. */
function placesIn(schema: z.core.$ZodType): Places | null {
  const found = known.get(schema);
  if (found !== undefined) return found;
  // one that holds itself has no more places in itself
  known.set(schema, null);
  const places = search(schema);
  known.set(schema, places);
  return places;
}

function search(schema: z.core.$ZodType): Places | null {
  const kind = z.globalRegistry.get(schema)?.[KIND] as Kind | undefined;
  if (kind) return { kind, fields: new Map() };
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'object': {
      const fields = new Map<string, Places>();
      for (const [name, field] of Object.entries(def.shape)) {
        const places = placesIn(field);
        if (places) fields.set(name, places);
      }
      return fields.size > 0 ? { fields } : null;
    }
    case 'array':
      return each(placesIn(def.element));
    case 'record':
      return each(placesIn(def.valueType));
    case 'union':
      return def.options.map(placesIn).reduce(both, null);
    case 'intersection':
      return both(placesIn(def.left), placesIn(def.right));
    case 'lazy':
      return placesIn(def.getter());
    case 'pipe':
      return both(placesIn(def.in), placesIn(def.out));
    default:
      return 'innerType' in def ? placesIn(def.innerType as z.core.$ZodType) : null;
  }
}

const each = (places: Places | null): Places | null => places && { fields: new Map(), each: places };

/** The union of two. */
function both(one: Places | null, other: Places | null): Places | null {
  if (!one || !other) return one ?? other;
  const fields = new Map(one.fields);
  for (const [name, places] of other.fields) fields.set(name, both(fields.get(name) ?? null, places) as Places);
  const inner = both(one.each ?? null, other.each ?? null);
  const kind = one.kind ?? other.kind;
  return { ...(kind ? { kind } : {}), fields, ...(inner ? { each: inner } : {}) };
}

/** The kinds of data that a schema has a place for. */
export function kindsIn(schema: z.core.$ZodType): Kind[] {
  const list = (places: Places | null | undefined): Kind[] =>
    places ? [...(places.kind ? [places.kind] : []), ...[...places.fields.values(), places.each].flatMap(list)] : [];
  return [...new Set(list(placesIn(schema)))];
}

/** The value without data of these kinds: null is in its place. Nothing that is given is changed. */
export function without<Value>(schema: z.core.$ZodType, value: Value, left: readonly Kind[]): Value {
  return blank(placesIn(schema), value, left) as Value;
}

function blank(places: Places | null | undefined, value: unknown, left: readonly Kind[]): unknown {
  if (!places || value === null || value === undefined) return value;
  if (places.kind && left.includes(places.kind)) return null;
  if (Array.isArray(value)) return places.each ? value.map((one) => blank(places.each, one, left)) : value;
  if (typeof value !== 'object' || value instanceof Date) return value;
  const changed = Object.entries(value).map(([name, one]) => [
    name,
    blank(places.fields.get(name) ?? places.each, one, left),
  ]);
  // names that people choose, such as __proto__, stay names
  return Object.setPrototypeOf(Object.fromEntries(changed), Object.getPrototypeOf(value));
}

type Answers = Record<string, z.core.$ZodType | { content?: Record<string, { schema: z.core.$ZodType }> } | undefined>;

function schemaOf(answers: Answers | undefined, status: number): z.core.$ZodType | undefined {
  const answer = answers?.[status];
  if (answer === undefined || '_zod' in answer) return answer;
  return answer.content?.['application/json']?.schema;
}

/** Leaves out of every JSON answer what the access token may not read; a header names the kinds. */
export function withhold(app: FastifyInstance): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const { principal } = request;
    const { config, schema } = request.routeOptions;
    if (!principal || principal.scopes === null || reply.statusCode >= 300) return done(null, payload);
    const left = withheldFrom(principal, shownBy(config.access));
    const answer = left.length > 0 ? schemaOf(schema?.response as Answers | undefined, reply.statusCode) : undefined;
    const here = answer ? kindsIn(answer).filter((kind) => left.includes(kind)) : [];
    if (!answer || here.length === 0) return done(null, payload);
    setWithheldHeader(reply, principal, here);
    done(null, without(answer, payload, here));
  });
}

const shownBy = (access: object | undefined): readonly Kind[] =>
  access && 'shows' in access ? (access.shows as readonly Kind[]) : [];

/** Sets the header that names empty columns, for answers written as text, where columns of these kinds may be empty. */
export function reportWithheld(reply: FastifyReply, caller: Principal, ...asked: Kind[]): void {
  setWithheldHeader(
    reply,
    caller,
    asked.filter((kind) => !mayRead(caller, kind)),
  );
}

function setWithheldHeader(reply: FastifyReply, caller: Principal, left: readonly Kind[]): void {
  if (left.length > 0) reply.header(WITHHELD_HEADER, withheldText(caller, left));
}
