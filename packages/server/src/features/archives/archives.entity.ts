import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

export type ArchiveState = 'waiting' | 'running' | 'complete' | 'failed';

/** Everything of an account in one file, which is made by a job and kept for some days. */
export const AccountArchive = defineEntity({
  name: 'AccountArchive',
  tableName: 'account_archives',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    state: p.string().$type<ArchiveState>(),
    /** How often a process has begun with it: what an earlier one writes no longer counts. */
    attempt: p.integer().default(0),
    /** The key of the sealed part, itself sealed by the server; null once the archive is made. The passphrase is never kept. */
    fileKey: p.blob().nullable(),
    /** The head of the sealed part, which leads from the passphrase to the key. */
    head: p.text(),
    tablesTotal: p.integer().default(0),
    tablesDone: p.integer().default(0),
    filesTotal: p.integer().default(0),
    filesDone: p.integer().default(0),
    rows: p.bigint('number').default(0),
    size: p.bigint('number').nullable(),
    sha256: p.blob().nullable(),
    error: p.text().nullable(),
    createdAt: p.datetime(3),
    seenAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'account_archives_created_at_index', properties: ['createdAt'] },
    {
      name: 'account_archives_one_at_once',
      expression:
        "create unique index account_archives_one_at_once on account_archives (developer_id) where state in ('waiting', 'running')",
    },
  ],
  checks: [
    { name: 'account_archives_state_check', expression: "state in ('waiting', 'running', 'complete', 'failed')" },
    {
      name: 'account_archives_complete_check',
      expression: "(state = 'complete') = (size is not null and sha256 is not null)",
    },
  ],
});
export type AccountArchive = InferEntity<typeof AccountArchive>;
