import { ownSerials } from '../serials.queries.ts';
import { type SerialsDb, tables } from '../tables.ts';

/** Asked for every piece of a file that a serial has handed out. */
const downloads = tables.named('downloads_open', (begin, developerId: string, id: string) =>
  ownSerials(begin, developerId)
    .select('s.id')
    .where('s.id', '=', id)
    .where('s.revoked_at', 'is', null)
    .where('s.redeemed_at', 'is not', null)
    .where('p.deleted_at', 'is', null),
);

/** Whether downloads of a serial are allowed; links to its files stop working along with it. */
export async function downloadsOpen(db: SerialsDb, developerId: string, serialId: string): Promise<boolean> {
  return (await downloads(db, developerId, serialId)).length > 0;
}
