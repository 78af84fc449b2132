import { DEFAULT_ROWS } from '#define/common-options.ts';
import { UsageError } from '#exit.ts';
import { write } from '#io.ts';
import { type Context, templateOf } from '#run/context.ts';
import { type ListProgram, listProgram } from './json/jq.ts';
import type { Template } from './json/template.ts';
import { WholeList } from './json/whole-list.ts';
import { type Cell, TableParts } from './table.ts';

interface Shape<Row> {
  /** Empty for plain lines. */
  head: string[];
  cells: (row: Row) => Cell[];
  /** Printed instead of an empty table. */
  none: string;
  /** How to get what the limit left out. */
  more?: string;
}

/** Rows that are written together: enough for speed, few enough to appear soon. */
const CHUNK = 100;
/** Rows that jq is run on at once: each run costs something. */
const JQ_PART = 1000;

/**
 * Prints a list as it is read, as JSON or as a table, up to `--limit` or with `--all`. Stops when nobody reads any more.
 */
export async function printRows<Row>(
  context: Context,
  rows: AsyncIterable<Row>,
  options: { limit: number; all: boolean },
  shape: Shape<Row>,
): Promise<void> {
  const limit = options.all ? Number.POSITIVE_INFINITY : options.limit;
  if (limit < 1) throw new UsageError('--limit takes 1 or more.');
  const printer = context.globals.json ? await jsonPrinter<Row>(context) : tablePrinter(context, shape);
  const more = await printUpTo(limit, rows, printer);
  // somebody who gave a limit knows that there may be more; without one, the first rows could be taken for all
  if (!more || options.limit !== DEFAULT_ROWS || context.globals.quiet) return;
  context.warn('more_rows', `More rows are available: use --all${shape.more ? `, or ${shape.more}` : ''}.`);
}

/** All rows as JSON, also where without --json a command would print or write a file. */
export async function printAllAsJson<Row>(context: Context, rows: AsyncIterable<Row>): Promise<void> {
  await printUpTo(Number.POSITIVE_INFINITY, rows, await jsonPrinter<Row>(context));
}

/** @returns whether there are more. */
async function printUpTo<Row>(limit: number, rows: AsyncIterable<Row>, printer: Printer<Row>): Promise<boolean> {
  let chunk: Row[] = [];
  let count = 0;
  let more = false;
  for await (const row of rows) {
    if (count >= limit) {
      more = true;
      break;
    }
    count += 1;
    chunk.push(row);
    if (chunk.length < CHUNK) continue;
    await printer.print(chunk);
    chunk = [];
  }
  await printer.print(chunk);
  await printer.end();
  return more;
}

interface Printer<Row> {
  print(rows: Row[]): Promise<void>;
  end(): Promise<void>;
}

/** One JSON array, whose rows are written as they come, or what a jq program or a template makes of it. */
async function jsonPrinter<Row>(context: Context): Promise<Printer<Row>> {
  const { jq, template } = context.globals;
  if (jq !== undefined) return jqPrinter(context, listProgram(jq));
  return template === undefined ? arrayPrinter(context) : templatePrinter(context, await templateOf(template));
}

function templatePrinter<Row>(context: Context, { rows: each, render }: Template): Printer<Row> {
  const whole = new WholeList('--template');
  let begun = false;
  const begin = async () => {
    if (each && !begun) await write(context.io.stdout, each.before);
    begun = true;
  };
  return {
    async print(rows) {
      const picked = rows.map((row) => context.pick(row));
      if (!each) return whole.add(picked);
      await begin();
      await write(context.io.stdout, picked.map(each.row).join(''));
    },
    async end() {
      await begin();
      await write(context.io.stdout, each ? each.after : render(whole.rows));
    },
  };
}

function arrayPrinter<Row>(context: Context): Printer<Row> {
  let begun = false;
  return {
    async print(rows) {
      if (rows.length === 0) return;
      // without the brackets of this part, in the shape in which the whole list is printed
      const part = JSON.stringify(
        rows.map((row) => context.pick(row)),
        null,
        2,
      ).slice('[\n'.length, -'\n]'.length);
      await write(context.io.stdout, `${begun ? ',\n' : '[\n'}${part}`);
      begun = true;
    },
    async end() {
      await write(context.io.stdout, begun ? '\n]\n' : '[]\n');
    },
  };
}

function jqPrinter<Row>(context: Context, program: ListProgram): Printer<Row> {
  let part: unknown[] = [];
  const run = async () => {
    const text = await program.part(part);
    part = [];
    if (text !== '') await write(context.io.stdout, text);
  };
  return {
    async print(rows) {
      for (const row of rows) part.push(context.pick(row));
      if (part.length >= JQ_PART) await run();
    },
    async end() {
      if (part.length > 0) await run();
      await write(context.io.stdout, await program.end());
    },
  };
}

function tablePrinter<Row>(context: Context, { head, cells, none }: Shape<Row>): Printer<Row> {
  const table = new TableParts(head);
  const textOf = (part: Cell[][]) => (head.length > 0 ? table.part(part) : part.map(([cell]) => `${cell}\n`).join(''));
  let empty = true;
  return {
    async print(rows) {
      if (rows.length === 0) return;
      empty = false;
      await context.write(textOf(rows.map(cells)));
    },
    async end() {
      if (empty) await context.write(none);
    },
  };
}
