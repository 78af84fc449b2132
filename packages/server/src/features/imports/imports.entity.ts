import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import type { ImportKind } from './kinds.ts';

export type ImportState = 'running' | 'complete' | 'failed';

/** One file that was imported, or is being. What it brought is elsewhere; this is the protocol. */
export const Import = defineEntity({
  name: 'Import',
  tableName: 'imports',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    kind: p.string().$type<ImportKind>(),
    fileName: p.text(),
    dryRun: p.boolean(),
    state: p.string().$type<ImportState>(),
    /** Lines read so far. */
    lines: p.integer().default(0),
    added: p.integer().default(0),
    /** Lines whose content was already known. */
    known: p.integer().default(0),
    rejected: p.integer().default(0),
    error: p.text().nullable(),
    startedAt: p.datetime(3),
    seenAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});
export type Import = InferEntity<typeof Import>;
