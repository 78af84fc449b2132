import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/** A product file in our own storage. It is uploaded in parts; `received` is the number of bytes safely stored. */
export const StoredFile = defineEntity({
  name: 'StoredFile',
  tableName: 'files',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    /** As a customer sees it: without folders and control characters. */
    name: p.text(),
    size: p.bigint('number'),
    received: p.bigint('number').default(0),
    /** The storage's id of the unfinished upload. */
    uploadId: p.text(),
    /** The storage's answer for each part, then the number of attempts at the part that is awaited. */
    parts: p.json().$type<(string | number)[]>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    /** SHA-256 of the whole; null until a job has read it. */
    sha256: p.blob().nullable(),
  },
  checks: [
    { name: 'files_size_check', expression: 'size > 0 and received >= 0 and received <= size' },
    { name: 'files_complete_check', expression: 'completed_at is null or received = size' },
  ],
});
export type StoredFile = InferEntity<typeof StoredFile>;
