import { typedTemplates } from './hand-rows.ts';
import type { Node } from './sql-templates.ts';
import { castsOf } from './template-columns-parts.ts';

export interface CastMember {
  /** Where the text begins. */
  line: number;
  member: string;
  /** What the text casts it to. */
  cast: string;
  /** The driver gives something else. */
  isWrong: boolean;
}

/** What the driver gives, and of which types. `platform/db/database.ts` parses int8 and date. JSON may be anything. */
const GIVEN = new Map(
  Object.entries({
    number: 'int2 int4 int8 float4 float8',
    string: 'numeric text varchar bpchar uuid date',
    Date: 'timestamptz timestamp',
    boolean: 'bool',
    Buffer: 'bytea',
  }).flatMap(([given, types]) => types.split(' ').map((type): [string, string] => [type, given])),
);

/** Members of `sql<…>` that are declared by hand, where the outermost statement casts the column and both types are known. */
export function castMembers(source: string): CastMember[] {
  const { types, templates } = typedTemplates(source);
  return templates.flatMap(({ line, texts, members }) => {
    if (members.length === 0) return [];
    return [...castsOf(texts)].flatMap(([member, cast]) => {
      const given = GIVEN.get(cast);
      // more than one in a union: it may be any of them
      const kinds = members
        .filter(({ key }) => key.name === member)
        .flatMap(({ typeAnnotation }) => kindsOf(typeAnnotation?.typeAnnotation, types));
      if (!given || kinds.length === 0 || kinds.includes(undefined)) return [];
      return [{ line, member, cast, isWrong: !kinds.includes(given) }];
    });
  });
}

const KINDS = new Map([
  ['TSStringKeyword', 'string'],
  ['TSNumberKeyword', 'number'],
  ['TSBooleanKeyword', 'boolean'],
  ['TSBigIntKeyword', 'bigint'],
  ['Date', 'Date'],
  ['Buffer', 'Buffer'],
  ['Uint8Array', 'Buffer'],
]);

/** What a value of a type may be beside null; undefined: whatever. */
function kindsOf(type: Node | undefined, types: ReadonlyMap<string, Node>): (string | undefined)[] {
  if (type?.type === 'TSParenthesizedType') return kindsOf(type.typeAnnotation, types);
  if (type?.type === 'TSUnionType') return type.types.flatMap((each: Node) => kindsOf(each, types));
  if (type?.type === 'TSNullKeyword') return [];
  if (type?.type === 'TSLiteralType') return [type.literal.type === 'Literal' ? typeof type.literal.value : undefined];
  if (type?.type !== 'TSTypeReference') return [KINDS.get(type?.type ?? '')];
  const { name } = type.typeName;
  const own = types.get(name);
  if (!own) return [KINDS.get(name)];
  const isAlias = own.type === 'TSTypeAliasDeclaration' && !own.typeParameters;
  return isAlias ? kindsOf(own.typeAnnotation, types) : [undefined];
}
