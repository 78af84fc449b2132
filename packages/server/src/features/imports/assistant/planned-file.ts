import { notFound } from '#platform/errors.ts';
import type { Spool } from '#platform/spool/spool.ts';
import type { SpoolFile } from '#platform/spool/spool-file.ts';
import type { Storage } from '#platform/storage/storage.ts';
import type { ColumnReader, Ways } from '../columns/reading.ts';
import { headName, SourceTable } from '../columns/source-table.ts';
import type { ImportKey } from '../imports.queries.ts';
import type { Load } from '../loader.ts';
import { type Plan, placesOf } from './plan.ts';
import { openSource, sourceKey } from './source.ts';

/** The stored file of an import, brought to this machine for as long as it is used. */
export class PlannedFile {
  readonly #deps: { spool: Spool; storage: Storage };

  constructor(deps: { spool: Spool; storage: Storage }) {
    this.#deps = deps;
  }

  /** @throws {AppError} not_found when it was deleted */
  async with<T>({ developerId, id }: ImportKey, plan: Plan, use: (file: SpoolFile) => Promise<T>): Promise<T> {
    const { spool, storage } = this.#deps;
    const stored = await storage.get(sourceKey(id, plan.dialect.format));
    if (!stored) throw notFound('The file of this import');
    const file = await spool.receive(stored.stream, developerId);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }
}

/** How the loader reads a file by its plan. */
export function loadOf(
  { developerId, id }: ImportKey,
  plan: Plan,
  { file, timeZone }: { file: SpoolFile; timeZone: string },
): Omit<Load, 'dryRun'> {
  const { decimal, date_order } = plan.answers;
  const ways: Partial<Ways> = { ...(decimal && { decimal }), ...(date_order && { date_order }) };
  const open = async (reader: ColumnReader) => {
    const rows = await openSource(file, plan.dialect);
    const table = new SourceTable({
      file: rows,
      places: placesOf(plan),
      reader,
      timeZone,
      values: new Map(Object.entries(plan.values)) as never,
      products: new Map(Object.entries(plan.products).map(([name, ours]) => [name.toLowerCase(), ours])),
    });
    const unused = plan.columns.flatMap(({ head }, place) =>
      plan.mapping[place] === null ? headName(head, place) : [],
    );
    return { table, unused };
  };
  return { developerId, id, kind: plan.kind, timeZone, ways, ends: plan.answers.ends ?? 'ignore', open };
}
