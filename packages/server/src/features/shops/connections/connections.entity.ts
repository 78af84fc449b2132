import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type {
  Delivering,
  OnDispute,
  OnDuplicate,
  OnRefund,
  ShopKind,
  ShopMode,
  ShopState,
} from './connections.schemas.ts';

/** A shop of an account, developer or reseller, that reports its sales. One that was deleted stays, for its orders. */
export const ShopConnection = defineEntity({
  name: 'ShopConnection',
  tableName: 'shop_connections',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    kind: p.text().$type<ShopKind>(),
    name: p.text(),
    mode: p.text().$type<ShopMode>(),
    /** The last part of its address. */
    token: p.text(),
    /** Null: none is known yet, or it was lost. What came without one is refused. */
    secret: p.blob().nullable(),
    /** Verifies beside the new one until `previousUntil`. */
    previousSecret: p.blob().nullable(),
    previousUntil: p.datetime(3).nullable(),
    /** JSON of what opens the shop's API; null: nothing does. */
    credentials: p.blob().nullable(),
    state: p.text().$type<ShopState>(),
    /** Why it needs attention; null: it does not. */
    trouble: p.text().nullable(),
    delivering: p.text().$type<Delivering>(),
    onRefund: p.text().$type<OnRefund>(),
    onDispute: p.text().$type<OnDispute>(),
    onDuplicate: p.text().$type<OnDuplicate>().default('warn'),
    /** The sales that an account records by calls that name no shop. */
    isRecorded: p.boolean().default(false),
    lastEventAt: p.datetime(3).nullable(),
    /** The last delivery that was refused, and why. */
    refusedAt: p.datetime(3).nullable(),
    refusedWhy: p.text().nullable(),
    /** JSON of how far the shop's own list was read, if that takes more than one look; null: to its end. */
    cursor: p.text().nullable(),
    lastReconciledAt: p.datetime(3).nullable(),
    /** When its owner was last warned that it reports nothing any more, though no list shows what it sells. */
    silentAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'shop_connections_token_unique', properties: ['token', 'developerId'] }],
  indexes: [
    {
      name: 'shop_connections_list_index',
      expression: `create index shop_connections_list_index on shop_connections (developer_id, id) where ${ofLists()}`,
    },
    {
      name: 'shop_connections_recorded_unique',
      expression:
        'create unique index shop_connections_recorded_unique on shop_connections (is_recorded, developer_id) where is_recorded and deleted_at is null',
    },
  ],
  checks: [
    { name: 'shop_connections_state_check', expression: "state in ('active', 'attention', 'off')" },
    { name: 'shop_connections_previous_check', expression: '(previous_secret is null) = (previous_until is null)' },
  ],
});
export type ShopConnection = InferEntity<typeof ShopConnection>;

/**
 * Credentials that opened the API of a shop. They are kept until the shop has ended the subscriptions that it was
 * asked for. The shop may be deleted, closed, or opened by another key by then.
 */
export const ShopFarewell = defineEntity({
  name: 'ShopFarewell',
  tableName: 'shop_farewells',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    shop: () => sameTenant(ShopConnection, 'shop_id').deleteRule('cascade'),
    /** As that of the shop was. */
    credentials: p.blob(),
    /** How often it was begun. */
    tries: p.integer().default(0),
    nextAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
  indexes: [
    { name: 'shop_farewells_shop_index', properties: ['shop'] },
    { name: 'shop_farewells_due_index', properties: ['nextAt'] },
  ],
});
export type ShopFarewell = InferEntity<typeof ShopFarewell>;
