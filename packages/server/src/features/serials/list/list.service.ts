import type { Readable } from 'node:stream';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { decodeIdCursor, pageOf, uncounted } from '#platform/http/answers/cursor.ts';
import type { Exports } from '#platform/spool/exports.ts';
import type { SerialsDb } from '../tables.ts';
import { serialKinds } from './serial-filter.ts';
import { countSerials, listSerials, serialChoiceCounts } from './serial-list.queries.ts';
import { type SerialQuery, serialFilterOf } from './serial-query.ts';
import { type StreamFormat, serialsExport } from './serials-export.ts';

interface Dependencies {
  db: SerialsDb;
  clock: Clock;
  exports: Exports;
}

interface Page {
  cursor?: string | undefined;
  limit: number;
  count: boolean;
}

/** All serials of a developer, whatever became of them. */
export class SerialList {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: SerialQuery & Page) {
    const filter = serialFilterOf(caller, query, this.#deps.clock);
    const after = decodeIdCursor(query.cursor);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const rows = await listSerials(sql, filter, after, query.limit + 1);
      const page = pageOf(rows, query.limit);
      return { ...page, ...(query.count ? await countSerials(sql, filter) : uncounted(page)) };
    });
  }

  /** All matching serials. */
  async export(caller: Principal, query: SerialQuery, format: StreamFormat, signal: AbortSignal): Promise<Readable> {
    const detail = query.batch_id === undefined ? (query.state ?? 'all') : 'of a batch';
    const audited = { action: 'serials_exported', at: this.#deps.clock.now(), detail } as const;
    await recordAudit(this.#deps.db, caller.accountId, { ...audited, objectId: query.batch_id ?? null });
    const order = serialsExport(serialFilterOf(caller, query, this.#deps.clock), format, caller.timeZone);
    return this.#deps.exports.open(caller.accountId, order, signal);
  }

  /** The choices of the list's filters, with counts. */
  async choices(caller: Principal, query: SerialQuery) {
    const together = countedTogether(serialKinds, query);
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (sql) => {
      const found = [];
      for (const { kinds, query } of together)
        found.push(...(await serialChoiceCounts(sql, kinds, serialFilterOf(caller, query, this.#deps.clock))));
      return byKind(serialKinds, found);
    });
  }
}
