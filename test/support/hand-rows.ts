import { type Node, type Nullables, parsed, visit, writtenOut } from './sql-templates.ts';

export interface HandRow {
  line: number;
  member: string;
  /** Whose column it is. */
  table: string;
}

const NAMED = /\b(?:from|join|into|update|using)\s+([a-z_]+)/g;

/**
 * Members of `sql<…>` that are declared by hand, in place or by a type of the same file, though the text names the table whose
 * column they are. One that is computed has its name by `as`; one that a text makes null, or keeps from being it, is another type.
 */
export function handRows(code: string, tables: Nullables): HandRow[] {
  const source = writtenOut(code);
  const found = typedTemplates(source).templates.flatMap(({ texts, members }) => {
    const text = texts.join('?');
    const named = [...new Set([...text.matchAll(NAMED)].map(([, name]) => name as string))];
    return members.flatMap(({ start, key, typeAnnotation }) => {
      const member: string = key.name;
      if (new RegExp(`\\bas ${member}\\b`).test(text)) return [];
      const declared = source.slice(typeAnnotation.start, typeAnnotation.end);
      // narrower than the column, or the Buffer that a text reads of what tables promise as bytes
      if (!/^: ?(string|number|boolean|Date)( \| null)?$/.test(declared)) return [];
      const isNullable = /\bnull\b/.test(declared);
      const table = named.find((name) => tables.get(name)?.get(member) === isNullable);
      return table === undefined ? [] : [{ line: source.slice(0, start).split('\n').length, member, table }];
    });
  });
  return [...new Map(found.map((each) => [`${each.line} ${each.member}`, each])).values()];
}

/** The types of a source by their names, and its `sql<…>` with the members that are declared by hand. */
export function typedTemplates(source: string) {
  const types = new Map<string, Node>();
  const found: Node[] = [];
  visit(parsed(source), (node) => {
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration') types.set(node.id.name, node);
    if (node.type === 'TaggedTemplateExpression' && node.tag.name === 'sql' && node.typeArguments) found.push(node);
  });
  const templates = found.map(({ start, quasi, typeArguments }) => ({
    line: source.slice(0, start).split('\n').length,
    /** Between what is put in. */
    texts: quasi.quasis.map(({ value }: Node) => value.raw) as string[],
    members: membersOf(typeArguments.params[0], types),
  }));
  return { types, templates };
}

const PARTS = new Set(['Omit', 'Pick', 'Partial', 'Required', 'Readonly', 'NonNullable']);

/** The members of a type that are declared by hand. */
function membersOf(type: Node, types: ReadonlyMap<string, Node>): Node[] {
  const all = (parts: Node[]) => parts.flatMap((part) => membersOf(part, types));
  if (type.type === 'TSTypeLiteral') return type.members.filter(({ key }: Node) => key?.type === 'Identifier');
  if (type.type === 'TSIntersectionType' || type.type === 'TSUnionType') return all(type.types);
  if (type.type === 'TSParenthesizedType') return membersOf(type.typeAnnotation, types);
  if (type.type === 'TSTypeAliasDeclaration') return membersOf(type.typeAnnotation, types);
  if (type.type === 'TSInterfaceBody') return type.body.filter(({ key }: Node) => key?.type === 'Identifier');
  if (type.type === 'TSInterfaceDeclaration')
    return [
      ...membersOf(type.body, types),
      ...type.extends.flatMap(({ expression }: Node) => named(expression, types)),
    ];
  if (type.type === 'TSTypeReference')
    return PARTS.has(type.typeName.name) ? membersOf(type.typeArguments.params[0], types) : named(type.typeName, types);
  return [];
}

function named({ name }: Node, types: ReadonlyMap<string, Node>): Node[] {
  const type = types.get(name);
  return type ? membersOf(type, types) : [];
}
