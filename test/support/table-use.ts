/** A use of a table by the SQL in a source file. */
export interface TableUse {
  table: string;
  line: number;
  does: 'reads' | 'adds' | 'deletes' | 'updates';
  /** The columns that an update sets. */
  columns: string[];
}

const USE = /\b(insert\s+into|delete\s+from|update|from|join)\s+([a-z_]+)\b/g;
/** The same by a builder: `selectFrom('serials as s')`, `joinOwn('batches as b', …)`, `ownJoin('batches as b', …)`. */
const BUILT =
  /\b(insertInto|deleteFrom|updateTable|selectFrom|from|using|(?:leftJoin|join)(?:Own|Shared)|own(?:Left)?Join|(?:inner|left)Join)\(\s*'([a-z_]+)(?: as \w+)?'/g;

/**
 * Finds every table that a TypeScript source reads or writes, outside of its comments. Statements that are put together from
 * pieces are found by their pieces, as long as the name of the table is next to its keyword.
 */
export function tableUses(source: string, known: ReadonlySet<string>): TableUse[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/[^\n]*/g, blank);
  return [...code.matchAll(USE), ...code.matchAll(BUILT)].flatMap((use) => {
    const [whole, keyword = '', table = ''] = use;
    if (!known.has(table)) return [];
    const line = code.slice(0, use.index).split('\n').length;
    const columns = keyword === 'update' ? setColumns(code.slice(use.index + whole.length)) : [];
    return [{ table, line, does: deedOf(keyword), columns }];
  });
}

function deedOf(keyword: string): TableUse['does'] {
  const [deed] = /^(?:insert|delete|update)/.exec(keyword) ?? [];
  return deed === undefined ? 'reads' : deeds[deed as keyof typeof deeds];
}

const deeds = { insert: 'adds', delete: 'deletes', update: 'updates' } as const;

function setColumns(rest: string): string[] {
  const assignments =
    /^\s*(?:as\s+)?(?:[a-z_]+\s+)??set\s+([\s\S]*?)(?=\s(?:from|where|returning)\s|[`'])/.exec(rest)?.[1] ?? '';
  let depth = 0;
  const top = [...assignments].filter((sign) => {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    return depth === 0;
  });
  return [...top.join('').matchAll(/(?:^|,)\s*([a-z_]+|\$\{\w+\})\s*=/g)].map((match) => match[1] as string);
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ');
