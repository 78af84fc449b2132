import type { Shop } from '../settling/work.ts';
import type { ShopsHandle } from '../tables.ts';

/** A shop with what opens its API. */
export const findSealed = (handle: ShopsHandle, accountId: string, id: string) =>
  handle
    .selectFrom('shop_connections')
    .select(['id', 'kind', 'name', 'mode', 'state', 'delivering', 'deleted_at', 'credentials', 'token'])
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A shop as far as its orders need it. */
export const findShop = (tx: ShopsHandle, accountId: string, id: string): Promise<Shop | undefined> =>
  tx
    .selectFrom('shop_connections')
    .select([
      'id',
      'developer_id',
      'kind',
      'name',
      'mode',
      'state',
      'delivering',
      'on_refund',
      'on_dispute',
      'on_duplicate',
      'deleted_at',
    ])
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
