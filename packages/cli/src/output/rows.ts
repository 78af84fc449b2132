import { UsageError } from '#exit.ts';
import { write } from '#io.ts';
import type { Context } from '#run/context.ts';
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
  const printer = context.globals.json ? jsonPrinter<Row>(context) : tablePrinter(context, shape);
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
  if (more) context.note(`More rows are available: use --all${shape.more ? `, or ${shape.more}` : ''}.`);
}

interface Printer<Row> {
  print(rows: Row[]): Promise<void>;
  end(): Promise<void>;
}

/** One JSON array, whose rows are written as they come. A jq filter needs all of them. */
function jsonPrinter<Row>(context: Context): Printer<Row> {
  const whole: Row[] = [];
  let begun = false;
  return {
    async print(rows) {
      if (context.globals.jq !== undefined) whole.push(...rows);
      else if (rows.length > 0) {
        const texts = rows.map((row) => JSON.stringify(context.pick(row), null, 2).replace(/^/gm, '  '));
        await write(context.io.stdout, `${begun ? ',\n' : '[\n'}${texts.join(',\n')}`);
        begun = true;
      }
    },
    async end() {
      if (context.globals.jq !== undefined) await context.print(whole, '');
      else await write(context.io.stdout, begun ? '\n]\n' : '[]\n');
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
