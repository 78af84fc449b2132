import type pg from 'pg';
import type { Partnerships } from '#features/partnerships';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { copyIn } from '#platform/db/statements/copy.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { invalidField, notFound, violatedConstraint } from '#platform/errors.ts';
import { toCents, toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import { momentOf } from '#platform/time/days.ts';
import { type BatchDates, checkDateOrder } from '../rules/batch-dates.ts';
import type { SerialsDb, SerialsHandle } from '../tables.ts';
import { CodeMaker } from './codes.ts';
import type { BatchForm } from './generate.schemas.ts';

export interface MadeBatch {
  id: string;
  quantity: number;
  product_id: string;
  product_name: string;
  reseller_id: string | null;
  promo_price: number | null;
  promo_start: Date | null;
  promo_expires: Date | null;
  expires_at: Date | null;
  batch_tag: string | null;
  notes: string | null;
}

/** A batch that is being generated, as far as it can be a deal. */
export interface GeneratedDeal {
  developerId: string;
  batchId: string;
  /** The request that it accepts; null: none. */
  requestId: string | null;
  productId: string;
  partnershipId: string | null;
  /** Null: at the regular price. */
  promoPrice: number | null;
}

/** Port: what a batch means for deals. It may be one, and may be the answer to a request. */
export interface BatchDeals {
  /**
   * Before the serials are generated. What it checks is settled by `made`.
   * @throws {AppError} when the request can't be accepted by this batch.
   */
  check(sql: Sql, deal: GeneratedDeal): Promise<void>;
  /**
   * After the serials were generated, in the same transaction.
   * @throws {AppError} conflict when somebody else was faster.
   */
  made(sql: Sql, deal: GeneratedDeal): Promise<void>;
}

interface Dependencies {
  db: SerialsDb;
  clock: Clock;
  random: Random;
  partnerships: Partnerships;
  dealAnswers: BatchDeals;
}

interface Order {
  developerId: string;
  timeZone: string;
  /**
   * The batch's id: the same for a repeat of the same request, which then finds the batch instead of creating another.
   */
  batchId: string;
  form: BatchForm;
  signal: AbortSignal;
}

/** Small enough that generating them keeps no one else waiting. */
const ROWS_PER_CHUNK = 1000;
const ATTEMPTS = 5;

/**
 * Creates a batch and all its serials in one transaction, or none of them. COPY streams the rows into the database, so
 * memory use does not grow with the quantity.
 */
export async function generateBatch(deps: Dependencies, order: Order): Promise<MadeBatch> {
  const dates = checkDates(order, deps.clock);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeOnce(deps, order, dates);
      break;
    } catch (error) {
      const constraint = violatedConstraint(error);
      // an identical concurrent request was faster
      if (constraint === 'batches_pkey') break;
      // a code that already exists: a random collision, so generate new ones
      if (constraint !== 'serials_code_unique' || attempt === ATTEMPTS) throw error;
    }
  }
  return findBatch(deps.db, order.developerId, order.batchId);
}

/**
 * Checks whether the batch could be created by doing everything that precedes its serials and rolling it back.
 * @throws {AppError} whatever creating it would throw.
 */
export async function tryBatch(deps: Dependencies, order: Order): Promise<void> {
  const dates = checkDates(order, deps.clock);
  await dryRunnable(true, (end) => makeOnce(deps, order, dates, end));
}

async function makeOnce(
  deps: Dependencies,
  order: Order,
  dates: BatchDates,
  beforeSerials?: () => void,
): Promise<void> {
  const { form, developerId, batchId } = order;
  await deps.db.work({ tx: true, signal: order.signal }, async (tx) => {
    await holdProduct(tx, developerId, form.product_id);
    const partnershipId = await partnershipOf(deps, tx, developerId, form);
    await insertBatch(tx, order, dates, partnershipId, deps.clock.now());
    const deal = {
      developerId,
      batchId,
      requestId: form.deal_request_id ?? null,
      productId: form.product_id,
      partnershipId,
      promoPrice: form.promo_price,
    };
    await deps.dealAnswers.check(tx, deal);
    beforeSerials?.();
    await copyIn(
      tx.client as pg.ClientBase,
      'copy serials (id, developer_id, batch_id, code, code_key) from stdin',
      rows(deps.random, developerId, batchId, form.prefix, form.quantity),
      order.signal,
    );
    await deps.dealAnswers.made(tx, deal);
    await recordWebhook(tx, developerId, {
      type: 'batch.generated',
      at: deps.clock.now(),
      data: {
        batch_id: batchId,
        product_id: form.product_id,
        partnership_id: partnershipId,
        quantity: form.quantity,
        batch_tag: form.batch_tag,
      },
    });
  });
}

/** Keeps the product from being deleted while the batch is created. @throws {AppError} not_found */
async function holdProduct(tx: SerialsHandle, developerId: string, productId: string): Promise<void> {
  const found = await tx
    .selectFrom('products')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', productId)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (!found) throw notFound('Product');
}

async function partnershipOf(deps: Dependencies, tx: Sql, developerId: string, form: BatchForm) {
  if (form.reseller_id) return deps.partnerships.assertOwned(tx, developerId, form.reseller_id);
  return form.new_reseller_name ? namedReseller(deps, tx, developerId, form.new_reseller_name) : null;
}

async function insertBatch(
  tx: SerialsHandle,
  { developerId, batchId, form }: Order,
  { promoStart, promoExpires, expiresAt }: BatchDates,
  partnershipId: string | null,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('batches')
    .values({
      id: batchId,
      developer_id: developerId,
      product_id: form.product_id,
      partnership_id: partnershipId,
      origin: 'generate',
      quantity: form.quantity,
      prefix: form.prefix,
      promo_price_cents: form.promo_price === null ? null : toCents(form.promo_price),
      promo_start: promoStart,
      promo_expires: promoExpires,
      expires_at: expiresAt,
      batch_tag: form.batch_tag,
      notes: form.notes,
      created_at: now,
    })
    .execute();
}

/**
 * The serials as COPY text, a few thousand per chunk. Codes and ids contain nothing that COPY requires to be escaped.
 */
function* rows(
  random: Random,
  developerId: string,
  batchId: string,
  prefix: string | null,
  quantity: number,
): Iterable<Buffer> {
  const codes = new CodeMaker(random, prefix);
  const middle = `\t${developerId}\t${batchId}\t`;
  for (let made = 0; made < quantity; made += ROWS_PER_CHUNK) {
    const count = Math.min(ROWS_PER_CHUNK, quantity - made);
    let chunk = '';
    for (let i = 0; i < count; i += 1) {
      const code = codes.next();
      chunk += `${random.id()}${middle}${code}\t${code.replaceAll('-', '')}\n`;
    }
    yield Buffer.from(chunk, 'latin1');
  }
}

function checkDates({ form, timeZone }: Order, clock: Clock): BatchDates {
  const promoStart = momentOf(form.promo_start, 'start', timeZone, 'promo_start');
  const promoExpires = momentOf(form.promo_expires, 'end', timeZone, 'promo_expires');
  const expiresAt = momentOf(form.expires_at, 'end', timeZone, 'expires_at');
  if (form.promo_price === null && (promoStart || promoExpires)) {
    throw invalidField('promo_price', 'Promo dates need a promo price.');
  }
  if (form.reseller_id && form.new_reseller_name) {
    throw invalidField('new_reseller_name', 'Choose a reseller or name a new one, not both.');
  }
  const dates = { promoStart, promoExpires, expiresAt };
  checkDateOrder(dates, clock.now());
  return dates;
}

/** @throws {AppError} not_found, also for another developer's batch. */
export async function findBatch(db: SerialsDb, developerId: string, id: string): Promise<MadeBatch> {
  const row = await db
    .selectFrom('batches as b')
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .select([
      'b.id',
      'b.quantity',
      'b.product_id',
      'p.name as product_name',
      'b.partnership_id as reseller_id',
      'b.promo_price_cents',
      'b.promo_start',
      'b.promo_expires',
      'b.expires_at',
      'b.batch_tag',
      'b.notes',
    ])
    .where('b.developer_id', '=', developerId)
    .where('b.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('Batch');
  const { promo_price_cents, ...batch } = row;
  return { ...batch, promo_price: toDollars(promo_price_cents) };
}

export function serialsOfBatch(
  db: SerialsDb,
  developerId: string,
  batchId: string,
): Promise<{ id: string; code: string }[]> {
  return db
    .selectFrom('serials')
    .select(['id', 'code'])
    .where('developer_id', '=', developerId)
    .where('batch_id', '=', batchId)
    .orderBy('id')
    .execute();
}

/** @throws {AppError} invalid_request for the name of a reseller that the developer works with no longer. */
async function namedReseller({ partnerships }: Dependencies, sql: Sql, developerId: string, name: string) {
  const { id, ended } = await partnerships.findOrCreate(sql, developerId, name);
  if (!ended) return id;
  const message = 'You no longer work with this reseller. Invite them again, or use another name.';
  throw invalidField('new_reseller_name', message);
}
