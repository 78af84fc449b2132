import { type Node, type Nullables, parsed, visit, writtenOut } from './sql-templates.ts';
import { columnsOf, columnsOfParts, type Named } from './template-columns-parts.ts';

export interface TemplateColumn extends Pick<Named, 'column' | 'table'> {
  line: number;
  /** Nothing of that name is there. */
  isLost: boolean;
}

/** What may come after a table or a parenthesis, and is no alias. */
const WORDS =
  'and as cross do for from full group inner join lateral left limit natural offset on or order returning select set then union using values when where with';
const ALIAS = `(?!(?:${WORDS.replaceAll(' ', '|')})\\b)([a-z]\\w*)`;
const NAMED = new RegExp(`(\\b(?:from|join|into|update|using)|,)\\s+([a-z_]+|\\?)(?:\\s+(?:as\\s+)?${ALIAS})?`, 'g');
/** A part of a WITH, a select in parentheses or a function. */
const DERIVED = new RegExp(
  `\\)\\s*(?:as\\s+)?${ALIAS}\\b|\\b${ALIAS}(?:\\s*\\([^()]*\\))?\\s+as\\s+(?:not\\s+)?(?:materialized\\s*)?\\(`,
  'g',
);
const OF_EACH_TABLE = new Set(['ctid', 'xmin', 'tableoid']);
/** `insert into serials (id, code)`, and `update serials s set code = …`. */
const INSERTED = /\binsert into ([a-z_]+)(?: as [a-z]+)?\s*\(([a-z_,\s]+)\)/dg;
const UPDATED = /\bupdate ([a-z_]+)(?: [a-z]+)? set\s([^?]*?)(?=\bfrom\b|\bwhere\b|\breturning\b|\?|$)/dg;

/**
 * Columns that templates of SQL name, and of which it is known what has them: `alias.column`, and those that an insert or an update
 * writes. An alias is what the statement declares or, where none can be made of a text, what the same text or all texts of the file
 * agree on.
 */
export function templateColumns(code: string, tables: Nullables): TemplateColumn[] {
  const source = writtenOut(code);
  const texts: { parts: string[]; text: string; start: number }[] = [];
  visit(parsed(source), ({ type, tag, quasi, start }) => {
    if (type !== 'TaggedTemplateExpression' || (tag.name ?? tag.object?.name) !== 'sql') return;
    const parts: string[] = quasi.quasis.map(({ value }: Node) => value.raw);
    texts.push({ parts, text: parts.join('?'), start });
  });
  const ofFile = agreed(texts.flatMap(({ text }) => [...aliasesOf(text, tables)]));
  return texts.flatMap(({ parts, text, start }) => {
    const own = aliasesOf(text, tables);
    const tableOf = (alias: string) => (own.has(alias) ? own.get(alias) : ofFile.get(alias));
    const ofTables = [...qualified(text, tableOf), ...written(text)].map((each) => ({
      ...each,
      columns: columnsOf(tables, each.table),
    }));
    // the parsed statement knows better than the patterns
    const found = new Map([...ofTables, ...columnsOfParts(parts, tables)].map((each) => [each.index, each]));
    return [...found.values()].flatMap(({ column, name, table, columns, index }) => {
      if (!columns || OF_EACH_TABLE.has(name)) return [];
      const line = `${source.slice(0, start)}${text.slice(0, index)}`.split('\n').length;
      return [{ line, column, table, isLost: !columns.includes(name) }];
    });
  });
}

type Seen = Omit<Named, 'columns'>;

function* qualified(text: string, tableOf: (alias: string) => string | null | undefined): Generator<Seen> {
  for (const { 0: column, 1: alias = '', 2: name = '', index } of text.matchAll(
    /(?<![\w.$'"])([a-z]\w*)\.([a-z]\w*)\b(?!\s*\()/g,
  ))
    yield { column, name, table: tableOf(alias) ?? '', index };
}

function* written(text: string): Generator<Seen> {
  for (const { 1: table = '', 2: list = '', indices } of text.matchAll(INSERTED))
    for (const { 0: name, index } of list.matchAll(/[a-z]\w*/g))
      yield { column: name, name, table, index: (indices?.[2]?.[0] ?? 0) + index };
  for (const { 1: table = '', 2: list = '', indices } of text.matchAll(UPDATED))
    for (const { 1: name = '', indices: own } of list.matchAll(/(?:^|,)\s*([a-z]\w*)\s*=/dg))
      yield { column: name, name, table, index: (indices?.[2]?.[0] ?? 0) + (own?.[1]?.[0] ?? 0) };
}

/** Tables by their alias; null where it is something else, or of two. */
function aliasesOf(text: string, tables: Nullables): Map<string, string | null> {
  const found: [string, string | null][] = [];
  for (const [, lead, table = '', alias = table] of text.matchAll(NAMED)) {
    // a list of columns
    if (lead === ',' && !tables.has(table)) continue;
    found.push([alias, tables.has(table) ? table : null]);
  }
  for (const [, one, other] of text.matchAll(DERIVED)) found.push([one ?? other ?? '', null]);
  return agreed(found);
}

function agreed(all: Iterable<[string, string | null]>): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const [alias, table] of all) found.set(alias, found.has(alias) && found.get(alias) !== table ? null : table);
  return found;
}
