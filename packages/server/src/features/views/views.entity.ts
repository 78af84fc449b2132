import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import type { View } from './views.schemas.ts';

/** A list as somebody likes to see it: filter, order and columns under a name. */
export const SavedView = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').deleteRule('cascade'),
    list: p.text().$type<View['list']>(),
    name: p.text(),
    /** As it is compared: of one list, each name is there once. */
    nameKey: p.text(),
    filter: p.json().$type<Record<string, string>>(),
    hiddenColumns: p.array().columnType('text[]'),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'saved_views_name_unique', properties: ['accountId', 'list', 'nameKey'] }],
});
export type SavedView = InferEntity<typeof SavedView>;
