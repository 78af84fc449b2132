import type { Readable } from 'node:stream';
import type { Partnerships } from '#features/partnerships';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { batchExport, type StreamFormat } from '../list/serials-export.ts';
import { noteRestock } from '../stock/low-stock.ts';
import type { SerialsDb } from '../tables.ts';
import { type BatchForm, MAX_JSON_QUANTITY } from './generate.schemas.ts';
import { type BatchDeals, generateBatch, type MadeBatch, serialsOfBatch, tryBatch } from './generate.ts';

interface Dependencies {
  db: SerialsDb;
  clock: Clock;
  random: Random;
  exports: Exports;
  partnerships: Partnerships;
  dealAnswers: BatchDeals;
}

/** Larger batches wait for their turn at the bulk gate. */
const AT_ONCE = 1000;

/** Generates batches of serials. */
export class SerialGenerator {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Generates a batch, or returns the one that the same request generated before. */
  async generate(caller: Principal, batchId: string, form: BatchForm, signal: AbortSignal): Promise<MadeBatch> {
    const make = () => this.#make(caller, batchId, form, signal);
    return form.quantity > AT_ONCE
      ? this.#deps.db.work({ lane: 'bulk', account: caller.accountId, signal }, make)
      : make();
  }

  /** The same, with all its serials as a stream. One turn at the bulk gate covers both. */
  async generateStream(
    caller: Principal,
    batchId: string,
    form: BatchForm,
    format: StreamFormat,
    signal: AbortSignal,
  ): Promise<{ batch: MadeBatch; stream: Readable }> {
    let batch: MadeBatch | undefined;
    const order = async () => {
      batch = await this.#make(caller, batchId, form, signal);
      return batchExport(caller.accountId, batch.id, format, caller.timeZone);
    };
    const stream = await this.#deps.exports.open(caller.accountId, order, signal);
    return { batch: batch as unknown as MadeBatch, stream };
  }

  async #make(caller: Principal, batchId: string, form: BatchForm, signal: AbortSignal): Promise<MadeBatch> {
    const order = { developerId: caller.accountId, timeZone: caller.timeZone, batchId, form, signal };
    const batch = await generateBatch(this.#deps, order);
    await noteRestock(this.#deps.db, caller.accountId, this.#deps.clock.now());
    return batch;
  }

  /** Previews what `generate` would create, without creating anything. */
  async tryGenerate(caller: Principal, batchId: string, form: BatchForm, signal: AbortSignal) {
    await tryBatch(this.#deps, { developerId: caller.accountId, timeZone: caller.timeZone, batchId, form, signal });
    return { batch_id: null, count: form.quantity, serials: [], dry_run: true };
  }

  /** Returns a small batch as a whole. */
  async batchSerials(developerId: string, batch: MadeBatch) {
    if (batch.quantity > MAX_JSON_QUANTITY) throw new AppError('not_acceptable');
    const { id: _, quantity: __, product_name: ___, ...shared } = batch;
    const rows = await serialsOfBatch(this.#deps.db, developerId, batch.id);
    return {
      batch_id: batch.id,
      count: rows.length,
      serials: rows.map((row) => ({ ...row, ...shared })),
      dry_run: false,
    };
  }
}
