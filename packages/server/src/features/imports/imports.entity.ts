import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import type { Checked, Plan, SourceFormat } from './assistant/plan.ts';
import type { ImportKind } from './kinds.ts';
import type { ImportState } from './states.ts';

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
    /** Heads of columns that nothing was done with. Null: not known, as of imports before that was noted. */
    unusedColumns: p.json().$type<string[]>().nullable(),
    startedAt: p.datetime(3),
    seenAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
    undoneAt: p.datetime(3).nullable(),
  },
});
export type Import = InferEntity<typeof Import>;

/** An import in the assistant: how its file, which is kept until then, is to be understood. */
export const ImportPlan = defineEntity({
  name: 'ImportPlan',
  tableName: 'import_plans',
  properties: {
    developerId: p.uuid().primary(),
    importId: p.uuid().primary(),
    /** The kind of file, which is the end of its name in the storage. */
    format: p.string().$type<SourceFormat>(),
    size: p.bigint('number'),
    plan: p.json().$type<Plan>(),
    /** The result of the last check; null after every change of the plan. */
    checked: p.json().$type<Checked>().nullable(),
    /** Rises with every change. */
    revision: p.integer().default(1),
    changedAt: p.datetime(3).index(),
  },
});
export type ImportPlan = InferEntity<typeof ImportPlan>;
