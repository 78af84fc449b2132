import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { sendBy } from '#platform/db/handle.ts';
import { insertBatches, insertSerials, redeemImported, tellBatches } from './generate/import-rows.ts';
import { isInStock, isNotForSale, isSellable, type OnSale } from './rules/availability-rules.ts';
import { B, HANDED_OUT as HANDED_OUT_OF_S, OPEN as OPEN_OF_S, P } from './rules/rows.ts';
import { handOut, takeBack } from './stock/hand-out.ts';
import { tables } from './tables.ts';

// The rules as text, for features whose statements are text: of `s`, a serial, `b`, its batch, and `p`, its product.

export const OPEN = tables.text(OPEN_OF_S);
export const HANDED_OUT = tables.text(HANDED_OUT_OF_S);

type Rule = (rows: OnSale, now: Expression<Date>) => Expression<boolean>;
const textOf = (rule: Rule) => (now: string) => tables.text(sql`${rule({ batch: B, product: P }, sql.raw(now))}`);

/** @param now the time, as SQL */
export const inStock = textOf(isInStock);
export const sellable = textOf(isSellable);
export const notForSale = textOf(isNotForSale);

/** See {@link HandOutParts}. */
interface HandOutText {
  claim: string;
  note: string;
  only?: string;
  locked: 'skip' | 'wait';
  alone?: { tells: string; from: [batches: string, serials: string] };
}

const $ = <T>(place: string) => sql.raw<T>(place);

/**
 * {@link handOut} as text. Parameters: $1 developer, $2 partnership, $3 product, $4 batch tag or null, $5 now, $6 how many codes in
 * all; then the caller's own, of which its `claim` has $7 and $8.
 */
export const handOutStatement = ({ claim, note, only, locked, alone }: HandOutText): string =>
  tables.text(
    handOut(
      {
        developerId: $('$1'),
        partnershipId: $('$2'),
        productId: $('$3'),
        batchTag: $('$4'),
        now: $('$5'),
        quantity: $('$6'),
      },
      {
        claim: $(claim),
        note: $(note),
        only: only === undefined ? undefined : $(only),
        locked,
        alone: alone && { tells: $(alone.tells), from: [$(alone.from[0]), $(alone.from[1])] },
      },
    ),
  );

/** {@link takeBack} as text. Parameters: $1 developer, $2 the draw's id, $3 ids of serials; the caller's own follow. */
export const takeBackStatement = (note: string): string =>
  tables.text(takeBack({ developerId: $('$1'), drawId: $('$2'), serialIds: $('$3') }, $(note)));

/** Sends a statement that is built over another feature's text. */
const send = <Row extends object>(handle: Sql, statement: RawBuilder<Row>, values: readonly unknown[]) =>
  sendBy<Row>(handle, { text: tables.text(statement), values, feature: tables.feature });

/** See {@link insertBatches}. @param source has the account as $1, and the moment as $2 */
export async function addBatches(handle: Sql, developerId: string, now: Date, source: string): Promise<void> {
  const { rows } = await send(handle, insertBatches(sql.raw(source)), [developerId, now]);
  await tellBatches(handle, developerId, now, rows);
}

/** See {@link insertSerials}. */
export async function addSerials(handle: Sql, source: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await send(handle, insertSerials(sql.raw(source)), values);
  return rows[0]?.made ?? 0;
}

/** See {@link redeemImported}. */
export async function redeemAll(handle: Sql, source: string, values: readonly unknown[]): Promise<void> {
  await send(handle, redeemImported(sql.raw(source)) as RawBuilder<object>, values);
}
