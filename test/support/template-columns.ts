import { type Node, type Nullables, parsed, visit } from './sql-templates.ts';

export interface LostColumn {
  line: number;
  /** As the text has it: `s.code`. */
  column: string;
  table: string;
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
 * Columns that templates of SQL name, and the table does not have: `alias.column`, and those that an insert or an update writes. An
 * alias is what the same text declares, or, in a part of a text, what all texts of the file agree on.
 */
export function lostColumns(source: string, tables: Nullables): LostColumn[] {
  const texts: { text: string; start: number }[] = [];
  visit(parsed(source), ({ type, tag, quasi, start }) => {
    if (type !== 'TaggedTemplateExpression' || (tag.name ?? tag.object?.name) !== 'sql') return;
    texts.push({ text: quasi.quasis.map(({ value }: Node) => value.raw).join('?'), start });
  });
  const ofFile = agreed(texts.flatMap(({ text }) => [...aliasesOf(text, tables)]));
  return texts.flatMap(({ text, start }) => {
    const own = aliasesOf(text, tables);
    const tableOf = (alias: string) => (own.has(alias) ? own.get(alias) : ofFile.get(alias));
    return [...qualified(text, tableOf), ...written(text)].flatMap(({ column, name, table, index }) => {
      const columns = tables.get(table);
      if (!columns || columns.has(name) || OF_EACH_TABLE.has(name)) return [];
      const line = `${source.slice(0, start)}${text.slice(0, index)}`.split('\n').length;
      return [{ line, column, table }];
    });
  });
}

interface Named {
  /** As the text has it. */
  column: string;
  name: string;
  table: string;
  index: number;
}

function* qualified(text: string, tableOf: (alias: string) => string | null | undefined): Generator<Named> {
  for (const { 0: column, 1: alias = '', 2: name = '', index } of text.matchAll(
    /(?<![\w.$'"])([a-z]\w*)\.([a-z]\w*)\b(?!\s*\()/g,
  ))
    yield { column, name, table: tableOf(alias) ?? '', index };
}

function* written(text: string): Generator<Named> {
  for (const { 1: table = '', 2: list = '', indices } of text.matchAll(INSERTED))
    for (const { 0: name, index } of list.matchAll(/[a-z]\w*/g))
      yield { column: name, name, table, index: (indices?.[2]?.[0] ?? 0) + index };
  for (const { 1: table = '', 2: list = '', indices } of text.matchAll(UPDATED))
    for (const { 1: name = '', index } of list.matchAll(/(?:^|,)\s*([a-z]\w*)\s*=/g))
      yield { column: name, name, table, index: (indices?.[2]?.[0] ?? 0) + index };
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
