import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { withoutAddresses } from './addresses.ts';
import * as q from './imports.queries.ts';
import type { ImportEvent, ImportView } from './imports.schemas.ts';
import type { Work } from './loader.ts';
import { READ_STATES } from './states.ts';
import type { ImportsDb } from './tables.ts';

const PROGRESS_MS = 500;

/** Shows those who watch how far an import is. */
export class Progress {
  readonly #deps: { db: ImportsDb; clock: Clock; events: Publisher<ImportEvent> };

  constructor(deps: { db: ImportsDb; clock: Clock; events: Publisher<ImportEvent> }) {
    this.#deps = deps;
  }

  /** @throws {AppError} not_found */
  async find({ developerId, id }: q.ImportKey): Promise<ImportView> {
    const found = await q.findImport(this.#deps.db, developerId, id);
    if (!found) throw notFound('Import');
    return found;
  }

  async announce(key: q.ImportKey): Promise<ImportView> {
    const found = await this.find(key);
    const { file_name: _, unused_columns: __, error, ...shown } = found;
    const data = { ...shown, error: error && withoutAddresses(error) };
    await this.#deps.events.publish(this.#deps.db, key.developerId, { type: 'import', data });
    return found;
  }

  /** Shows the progress twice a second, and calls `also` as often. @returns a function that ends it */
  watch(key: q.ImportKey, work: Work, also: () => Promise<unknown> = async () => undefined): () => void {
    const beat = setInterval(() => {
      Promise.all([also(), this.#show(key, work)]).catch(() => undefined);
    }, PROGRESS_MS);
    return () => clearInterval(beat);
  }

  async #show(key: q.ImportKey, { lines, report }: Work): Promise<void> {
    const { db, clock } = this.#deps;
    await q.noteProgress(db, key, { lines, rejected: report.count, now: clock.now() });
    if (READ_STATES.includes((await this.find(key)).state)) await this.announce(key);
  }
}
