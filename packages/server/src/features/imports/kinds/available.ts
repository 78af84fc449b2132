import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { addBatches, addSerials, serialKey } from '#features/serials';
import { csvLine } from '#platform/csv/write.ts';
import type { EndsAnswer } from '../assistant/plan.ts';
import type { Column } from '../columns/fields.ts';
import { copyLine, type ImportContext, type Importer } from '../importer.ts';
import {
  ANOTHER_PRODUCT,
  countStaged,
  dropKnown,
  findExisting,
  forgetPlans,
  lockProducts,
  refuseOvertaken,
  rejectExisting,
  rejectRepeated,
  SAME_PRODUCT,
  stageBatches,
} from '../staging.ts';
import { CellError } from './cell-error.ts';
import * as c from './cells.ts';
import { showPlanner } from './planner.ts';
import type { ProductsByName } from './products-by-name.ts';

interface AvailableContext extends ImportContext {
  products: ProductsByName;
  /** Whether licenses that have ended are revoked. */
  ends: EndsAnswer;
}

export const availableDemo = [
  ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'],
  ['AB12-CD34-EF56-GH78', 'Your Product', null, null, null, '2027-12-31', null, 'A regular serial'],
  ['PROM-CD34-EF56-GH79', 'Your Product', '19.99', '2027-01-31', '2026-11-27', '2027-12-31', 'Black Friday', null],
]
  .map(csvLine)
  .join('');

/** Serials generated elsewhere, to be redeemed here. Lines that share everything but the serial become one batch. */
export function availableImport({ developerId, importId, now, random, products, ends }: AvailableContext): Importer {
  // lines of one batch follow each other, so the mark of the last one is mostly the next one's
  let lastShared = '';
  let lastMark = '';
  return {
    stage: sql`create temp table staged (
      line int, id uuid, code text, code_key text collate "C", batch_mark uuid, handed_out boolean, product_id uuid, promo_price_cents int, promo_start timestamptz,
      promo_expires timestamptz, expires_at timestamptz, batch_tag text, notes text) on commit drop`,
    copy: 'copy staged from stdin',
    nameOf: (table, record) => table.raw(record, 'Serial'),
    row(table, record) {
      const cell = (column: Column) => table.cell(record, column);
      const code = c.code(cell('Serial'));
      const key = serialKey(code);
      if (key === '') throw new CellError('The serial has only dashes and spaces.');
      const end = ends === 'revoke' ? table.licenseEnd(record) : null;
      if (end && end.at <= now) throw new CellError(`Its license ended on ${end.day}.`);
      const notes = c.prose(cell('Notes'), 'Notes', 2000);
      const shared = [
        products.find(cell('Product')).id,
        table.amount(record, 'Promo Price'),
        table.moment(record, 'Active From', 'start'),
        table.moment(record, 'Promo Expires', 'end'),
        table.moment(record, 'Active To', 'end'),
        c.line(cell('Batch Tag'), 'Batch Tag', 100),
        end ? [notes, c.endNote(end.day)].filter((note) => note !== null).join('\n') : notes,
      ] as const;
      const [, promo, from, promoExpires, to] = shared;
      if (promoExpires && promo === null) throw new CellError('Promo Expires needs a Promo Price.');
      if (from && promoExpires && promoExpires <= from) throw new CellError('Promo Expires is before Active From.');
      if (from && to && to <= from) throw new CellError('Active To is before Active From.');
      const text = copyLine(shared);
      if (text !== lastShared) {
        lastShared = text;
        lastMark = hash('md5', text);
      }
      return `${copyLine([record.line, random.id(), code, key, lastMark, c.handedOut(cell('Handed Out'))]).slice(0, -1)}\t${text}`;
    },
    async settle(tx, isTrial) {
      await lockProducts(tx, developerId, products);
      let known = 0;
      if ((await findExisting(tx, developerId)) > 0) {
        known = await dropKnown(tx, SAME_PRODUCT);
        await rejectExisting(tx, sql`not ${SAME_PRODUCT}`, ANOTHER_PRODUCT);
      }
      await rejectRepeated(tx);
      const lines = await countStaged(tx);
      if (isTrial) return { added: lines, known, cents: null, tally: null };
      await stageBatches(tx, random);
      await addBatches(tx, developerId, now, batchesOf(developerId, importId, now));
      await showPlanner(tx, developerId, 'batches', lines);
      await forgetPlans(tx);
      const added = await addSerials(tx, serialsOf(developerId, importId, now));
      refuseOvertaken(added, lines);
      return { added, known, cents: null, tally: null };
    },
  };
}

const batchesOf = (developerId: string, importId: string, now: Date) => sql`
  select b.id, ${developerId}::uuid, s.product_id, null, 'import', b.quantity, s.promo_price_cents, s.promo_start, s.promo_expires,
    s.expires_at, s.batch_tag, s.notes, ${now}::timestamptz, ${importId}::uuid
  from staged_batches b join staged s on s.line = b.first_line`;

/** A serial that was handed out elsewhere stays so: no shop gives it to a second customer. Its draw is the import. */
const serialsOf = (developerId: string, importId: string, now: Date) => sql`
  select s.id, ${developerId}::uuid, b.id, s.code, s.code_key, null, null, null, 0,
    case when s.handed_out then ${now}::timestamptz end, case when s.handed_out then ${importId}::uuid end
  from staged s join staged_batches b on b.mark = s.batch_mark`;
