import { AppError } from '#platform/errors.ts';
import type { Rows } from '../columns/source-table.ts';

/** A JSON file is read whole, unlike all other files, so that it has an end. */
export const MOST_JSON = 32 * 1024 * 1024;
/** Values nested deeper are no cells. */
const DEEPEST = 6;
const MOST_KEYS = 500;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };
type Cells = Map<string, string>;

const isObject = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areObjects = (value: Json | undefined): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** Whether a text file is JSON by its beginning: no table begins so. */
export const looksLikeJson = (begin: string): boolean => /^\uFEFF?\s*(?:\[\s*[{\]]|\{\s*["}])/.test(begin);

/**
 * A JSON file as a table: each record is a line, and what is nested in it a column by its path, such as `user.email`. Exports of APIs have
 * their records in a list, or in a list of an object; attributes and included relations of JSON:API are read as what they belong to.
 * @throws {AppError} csv_unusable when it is no JSON, or has no records
 */
export function jsonTable(text: string): Rows {
  const parsed = parse(text);
  const list = recordsOf(parsed);
  if (list.length === 0) throw unusable('The JSON file has no records: no list of objects is in it.');
  const included = includedOf(parsed);
  const lines = list.map((record) => cellsOf(record, included));
  const head = [...new Set(lines.flatMap((cells) => [...cells.keys()]))];
  async function* records() {
    for (const [at, cells] of lines.entries()) yield { line: at + 1, cells: head.map((name) => cells.get(name) ?? '') };
  }
  return { head, records: records() };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch (cause) {
    throw new AppError('csv_unusable', 'The file begins as JSON and is none. Was it cut off?', { cause });
  }
}

/** The list of records: the file itself, `data`, or the longest list that the outermost object has. */
function recordsOf(parsed: Json): Fields[] {
  if (areObjects(parsed)) return parsed;
  if (!isObject(parsed)) return [];
  if (areObjects(parsed.data)) return parsed.data;
  const lists = Object.entries(parsed).flatMap(([name, value]) =>
    name !== 'included' && areObjects(value) ? [value] : [],
  );
  return lists.sort((one, other) => other.length - one.length)[0] ?? [];
}

const keyOf = ({ type, id }: Fields) => `${String(type)} ${String(id)}`;

/** The included resources of a JSON:API answer, by type and id. */
function includedOf(parsed: Json): ReadonlyMap<string, Fields> {
  const list = isObject(parsed) && areObjects(parsed.included) ? parsed.included : [];
  return new Map(list.map((each) => [keyOf(each), each]));
}

function cellsOf(record: Fields, included: ReadonlyMap<string, Fields>): Cells {
  const cells: Cells = new Map();
  const { attributes, relationships, links: _, ...own } = record;
  flatten(own, '', cells, 1);
  if (isObject(attributes)) flatten(attributes, '', cells, 1);
  else if (attributes !== undefined) flatten({ attributes }, '', cells, 1);
  if (!isObject(relationships)) {
    if (relationships !== undefined) flatten({ relationships }, '', cells, 1);
    return cells;
  }
  for (const [name, relation] of Object.entries(relationships)) {
    const linked = isObject(relation) ? relation.data : undefined;
    const of = (Array.isArray(linked) ? linked : [linked]).filter(isObject);
    const whole = of.map((each): Fields => {
      const found = included.get(keyOf(each))?.attributes;
      return { ...(isObject(found) ? found : {}), id: each.id ?? null };
    });
    if (whole.length > 0) flatten({ [name]: whole.length === 1 ? (whole[0] as Fields) : whole }, '', cells, 1);
  }
  return cells;
}

/** Puts values under their paths. Of a list of objects, the values of each key are one cell, with commas between. */
function flatten(value: Fields, path: string, cells: Cells, depth: number): void {
  for (const [key, each] of Object.entries(value)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (isPairs(each)) flatten(fromPairs(each), name, cells, depth + 1);
    else if (areObjects(each)) {
      if (depth >= DEEPEST) continue;
      for (const item of each) {
        const parts: Cells = new Map();
        flatten(item, name, parts, depth + 1);
        for (const [at, text] of parts) put(cells, at, text, true);
      }
    } else if (isObject(each)) {
      if (depth < DEEPEST) flatten(each, name, cells, depth + 1);
    } else put(cells, name, textOf(each), false);
  }
}

function put(cells: Cells, name: string, text: string, joined: boolean): void {
  const before = cells.get(name);
  if (before === undefined && cells.size >= MOST_KEYS)
    throw unusable(`A record has more than ${MOST_KEYS} values. An import has at most ${MOST_KEYS} columns.`);
  if (before === undefined || before === '') cells.set(name, text);
  else if (joined && text !== '') cells.set(name, `${before}, ${text}`);
}

/** `[{ "key": "tier", "value": "pro" }]`, as some APIs write what others write `{ "tier": "pro" }`. */
function isPairs(value: Json): value is { key: string; value: Json }[] {
  return areObjects(value) && value.every((each) => typeof each.key === 'string' && 'value' in each);
}

const fromPairs = (pairs: { key: string; value: Json }[]): Fields =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value]));

function textOf(value: Json): string {
  if (value === null) return '';
  if (Array.isArray(value))
    return value
      .filter((each) => !Array.isArray(each))
      .map(textOf)
      .filter(Boolean)
      .join(', ');
  return typeof value === 'object' ? '' : String(value);
}

const unusable = (words: string) => new AppError('csv_unusable', words);
