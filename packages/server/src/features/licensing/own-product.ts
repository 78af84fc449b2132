import type { Sql } from '#platform/db/database.ts';
import { tables } from './tables.ts';

const ofDeveloper = tables.named('own_product', (begin, developerId: string, id: string) =>
  begin
    .selectFrom('products')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null),
);

/** Whether a product is this developer's, and not deleted. */
export async function isOwnProduct(handle: Sql, developerId: string, id: string): Promise<boolean> {
  return (await ofDeveloper(handle, developerId, id)).length > 0;
}
