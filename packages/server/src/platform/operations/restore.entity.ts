import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** That the database was set back to a backup. What happened between the two moments is known to others alone. */
export const Restore = defineEntity({
  name: 'Restore',
  tableName: 'restores',
  properties: {
    id: p.uuid().primary(),
    restoredAt: p.datetime(3),
    /** When the backup was made. */
    backupAt: p.datetime(3),
    /** Is in the numbers of statements from then on, so that none is given again that was given after the backup. */
    series: p.text(),
    /** When an admin has looked, and charging goes on. Null: nothing is charged. */
    collectionReleasedAt: p.datetime(3).nullable(),
  },
});
export type Restore = InferEntity<typeof Restore>;
