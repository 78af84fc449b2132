import { call } from '@tonerow/test-support/http.ts';
import type { SharedServer } from '@tonerow/test-support/server.ts';
import type { Kind, Role, Scope } from '../../../packages/server/src/platform/access/access.ts';
import { kinds } from '../../../packages/server/src/platform/access/kinds.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  'x-kind'?: Kind;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Access {
  as: string;
  role?: Role;
  scope: Scope | Scope[];
  shows?: Kind[];
}
interface Operation {
  operationId: string;
  'x-access': Access;
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
export interface Call extends Operation {
  method: string;
  path: string;
}

export interface Field {
  owner: string;
  name: string;
  schema: Schema;
}

/** The calls of a signed-in account, and the fields of what they answer. */
export class Contract {
  readonly calls: Call[];
  readonly #schemas: Record<string, Schema>;

  constructor({ paths, components }: Document) {
    this.#schemas = components.schemas;
    this.calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
        .filter((each) => each['x-access']?.as === 'user'),
    );
  }

  answersOf({ responses, operationId }: Operation): Field[] {
    return Object.entries(responses)
      .filter(([status]) => status < '300')
      .flatMap(([, { content = {} }]) => Object.values(content))
      .flatMap(({ schema }) => (schema ? this.#fieldsOf(schema, operationId) : []));
  }

  isText(schema: Schema): boolean {
    const { type, anyOf = [], items } = this.#resolved(schema);
    return type === 'string' || anyOf.some((each) => this.isText(each)) || (items !== undefined && this.isText(items));
  }

  #resolved(schema: Schema): Schema {
    return schema.$ref ? (this.#schemas[nameIn(schema.$ref)] as Schema) : schema;
  }

  /** Every field of a schema at every depth, with the named schema or operation that it belongs to. */
  #fieldsOf(schema: Schema, owner: string, seen = new Set<string>()): Field[] {
    if (schema.$ref) {
      if (seen.has(schema.$ref)) return [];
      return this.#fieldsOf(this.#resolved(schema), nameIn(schema.$ref), new Set([...seen, schema.$ref]));
    }
    const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
    const inner = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
    if (typeof additionalProperties === 'object') inner.push(additionalProperties);
    return [
      ...Object.entries(properties).flatMap(([name, each]) => [
        { owner, name, schema: each },
        ...this.#fieldsOf(each, owner, seen),
      ]),
      ...inner.flatMap((each) => this.#fieldsOf(each, owner, seen)),
    ];
  }
}

const nameIn = ($ref: string) => $ref.split('/').at(-1) as string;

export const contractOf = async (server: SharedServer): Promise<Contract> =>
  new Contract((await call(server, 'GET', '/api/openapi.json')).body);

export const scopesOf = ({ scope }: Access): Scope[] => [scope].flat();
export const rolesOf = ({ role }: Access): Role[] => (role ? [role] : ['developer', 'reseller']);
export const reads = (role: Role, kind: Kind, scope: Scope) => (kinds[kind][role] as readonly Scope[]).includes(scope);
/** Whether a token with one scope of a call may be told data of a kind. */
export const mayReveal = (access: Access, role: Role, kind: Kind, scope: Scope) =>
  reads(role, kind, scope) || (access.shows ?? []).includes(kind);

export const kindOf = ({ schema }: Field): Kind | undefined => schema['x-kind'] ?? schema.items?.['x-kind'];
