import { hash } from 'node:crypto';
import { csvLine } from '../../platform/csv/write.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Random } from '../../platform/random.ts';
import { serialKey } from '../serials/index.ts';
import * as c from './cells.ts';
import type { Dates } from './dates.ts';
import { copyLine, type ImportPlan } from './plan.ts';
import type { ProductsByName } from './products-by-name.ts';

interface Ground {
  developerId: string;
  now: Date;
  random: Random;
  products: ProductsByName;
  dates: Dates;
}

export const availableDemo = [
  ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'],
  ['AB12-CD34-EF56-GH78', 'Your Product', null, null, null, '2027-12-31', null, 'A regular serial'],
  ['PROM-CD34-EF56-GH79', 'Your Product', '19.99', '2027-01-31', '2026-11-27', '2027-12-31', 'Black Friday', null],
]
  .map(csvLine)
  .join('');

/** Serials that somebody else made, to be redeemed here. Lines that share everything but the serial become one batch. */
export function availableImport({ developerId, now, random, products, dates }: Ground): ImportPlan {
  // lines of one batch follow each other, so the mark of the last one is mostly the next one's
  let lastShared = '';
  let lastMark = '';
  return {
    required: ['Serial', 'Product'],
    stage: `create temp table staged (
      line int, id uuid, code text, code_key text, batch_mark uuid, product_id uuid, promo_price_cents int, promo_start timestamptz,
      promo_expires timestamptz, expires_at timestamptz, batch_tag text, notes text) on commit drop`,
    copy: 'copy staged from stdin',
    nameOf: (table, record) => table.cell(record, 'Serial'),
    row(table, record) {
      const cell = (column: string) => table.cell(record, column);
      const code = c.code(cell('Serial'));
      const key = serialKey(code);
      if (key === '') throw new c.CellError('The serial holds nothing but dashes and spaces.');
      const shared = [
        products.find(cell('Product')).id,
        c.cents(cell('Promo Price'), 'Promo Price', table.decimalComma),
        dates.read(cell('Active From'), 'Active From', 'start'),
        dates.read(cell('Promo Expires'), 'Promo Expires', 'end'),
        dates.read(cell('Active To'), 'Active To', 'end'),
        c.line(cell('Batch Tag'), 'Batch Tag', 100),
        c.line(cell('Notes'), 'Notes', 2000),
      ] as const;
      const [, promo, from, promoExpires, to] = shared;
      if (promoExpires && promo === null) throw new c.CellError('Promo Expires needs a Promo Price.');
      if (from && to && to <= from) throw new c.CellError('Active To comes before Active From.');
      const text = copyLine(shared);
      if (text !== lastShared) {
        lastShared = text;
        lastMark = hash('md5', text);
      }
      return `${copyLine([record.line, random.id(), code, key, lastMark]).slice(0, -1)}\t${text}`;
    },
    async settle(sql, reject) {
      const [staged] = await sql.query<{ n: number }>('select count(*) as n from staged');
      const batches = await stageBatches(sql, random);
      await sql.query(INSERT_BATCHES, [developerId, now]);
      const [inserted] = await sql.query<{ n: number }>(INSERT_SERIALS, [developerId]);
      const added = inserted?.n ?? 0;
      if (added === staged?.n) return { added, known: 0 };
      // some codes were there: nobody else's lines pay for finding out which
      if (batches > 0) await sql.query(TRIM_BATCHES);
      const left = await sql.query<{ line: number; code: string; twice: boolean; elsewhere: string | null }>(LEFT, [
        developerId,
      ]);
      let known = 0;
      for (const { line, code, twice, elsewhere } of left) {
        if (twice) await reject({ line, what: code, reason: 'This serial stands in the file more than once.' });
        else if (elsewhere)
          await reject({ line, what: code, reason: `This serial exists already, for the product "${elsewhere}".` });
        else known += 1;
      }
      return { added, known };
    },
  };
}

async function stageBatches(sql: Sql, random: Random): Promise<number> {
  await sql.query(
    'create temp table staged_batches (mark uuid primary key, id uuid, quantity int, first_line int) on commit drop',
  );
  let made = 0;
  let after: string | null = null;
  const PAGE = 10_000;
  for (;;) {
    const rows: { mark: string; quantity: number; first_line: number }[] = await sql.query(
      `select batch_mark as mark, count(*)::int as quantity, min(line) as first_line from staged where ($1::uuid is null or batch_mark > $1)
       group by 1 order by 1 limit ${PAGE}`,
      [after],
    );
    await sql.query('insert into staged_batches select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[])', [
      rows.map((row) => row.mark),
      rows.map(() => random.id()),
      rows.map((row) => row.quantity),
      rows.map((row) => row.first_line),
    ]);
    made += rows.length;
    after = rows.at(-1)?.mark ?? null;
    if (rows.length < PAGE) return made;
  }
}

const INSERT_BATCHES = `
  insert into batches (id, developer_id, product_id, origin, quantity, promo_price_cents, promo_start, promo_expires,
    expires_at, batch_tag, notes, created_at)
  select b.id, $1, s.product_id, 'import', b.quantity, s.promo_price_cents, s.promo_start, s.promo_expires, s.expires_at,
    s.batch_tag, s.notes, $2
  from staged_batches b join staged s on s.line = b.first_line`;

const INSERT_SERIALS = `
  with made as (
    insert into serials (id, developer_id, batch_id, code, code_key)
    select s.id, $1, b.id, s.code, s.code_key from staged s join staged_batches b on b.mark = s.batch_mark
    on conflict (code_key, developer_id) do nothing returning 1
  ) select count(*) as n from made`;

/** Batches have as many as really came; those to which nothing came are not kept. */
const TRIM_BATCHES = `
  with came as (select b.id, count(s.id) as n from staged_batches b left join serials s on s.batch_id = b.id group by 1),
    gone as (delete from batches using came where batches.id = came.id and came.n = 0)
  update batches set quantity = came.n from came where batches.id = came.id and came.n > 0`;

const LEFT = `
  select s.line, s.code, other.id in (select id from staged) as twice,
    case when b.product_id <> s.product_id then p.name end as elsewhere
  from staged s join serials other on other.code_key = s.code_key and other.developer_id = $1
    join batches b on b.id = other.batch_id join products p on p.id = b.product_id
  where other.id <> s.id order by s.line`;
