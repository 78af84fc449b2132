import { defineEntity, type InferEntity, type PropertyChain, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type { HappeningKind, PartnershipStatus } from './partnerships.schemas.ts';

/**
 * The developers that a reseller sells for, or has sold for: every partnership with an account behind it, in any
 * status. A reseller's pages find the developers here, so that on many machines only those of these developers are
 * asked. Rows are only ever added, before the partnership that needs them, which a foreign key demands.
 */
export const ResellerDeveloper = defineEntity({
  name: 'ResellerDeveloper',
  tableName: 'reseller_developers',
  properties: {
    resellerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('reseller_id').updateRule('no action'),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
  },
});
export type ResellerDeveloper = InferEntity<typeof ResellerDeveloper>;

/** The account behind a partnership, which is among those that sell for the developer. */
const sellerOf = () =>
  p
    .manyToOne(ResellerDeveloper)
    .mapToPk()
    .joinColumns('reseller_id', 'developer_id')
    .referencedColumnNames('reseller_id', 'developer_id')
    .updateRule('no action')
    .deleteRule('no action')
    .nullable() as unknown as PropertyChain<
    string,
    { kind: 'm:1'; mapToPk: true; fieldName: 'reseller_id'; nullable: true }
  >;

/**
 * The link between a developer and a reseller. `named`: a reseller without an account behind it yet. `merged`: it was named,
 * and has become part of another one, which has its batches; its ledger and statements stay with it. Only `active` opens
 * the developer's catalog and stock to the reseller; what was sold stays readable to both in every status.
 */
export const Partnership = defineEntity({
  name: 'Partnership',
  tableName: 'partnerships',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    resellerId: () => sellerOf(),
    name: p.text(),
    /** Lower case, for named resellers to be found again. */
    nameKey: p.text(),
    commissionBps: p.integer().default(2000),
    status: p.string().$type<PartnershipStatus>(),
    /** A product of which this reseller has fewer serials left than this is low; null: nobody wants to know. */
    lowStockThreshold: p.integer().nullable(),
    createdAt: p.datetime(3),
    /** When the two became partners, the last time if they parted in between. */
    connectedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    /** The partnership that it has become part of, which is not merged itself. */
    mergedInto: () => sameTenant(Partnership, 'merged_into').nullable().deleteRule('no action'),
    /** The import whose file named this reseller first. */
    importId: p.uuid().nullable(),
  },
  indexes: [
    {
      name: 'partnerships_reseller_id_index',
      expression: 'create index partnerships_reseller_id_index on partnerships (reseller_id)',
    },
    { name: 'partnerships_list_index', properties: ['developerId', 'id'], where: ofLists() },
    {
      name: 'partnerships_pair_unique',
      expression:
        "create unique index partnerships_pair_unique on partnerships (reseller_id, developer_id) where status not in ('ended', 'merged')",
    },
    {
      name: 'partnerships_merged_index',
      expression:
        'create index partnerships_merged_index on partnerships (merged_into, developer_id, id) where merged_into is not null',
    },
  ],
  uniques: [{ name: 'partnerships_developer_name_unique', properties: ['nameKey', 'developerId'] }],
  checks: [
    { name: 'partnerships_commission_check', expression: 'commission_bps >= 0 and commission_bps <= 10000' },
    { name: 'partnerships_status_check', expression: "status in ('named', 'active', 'paused', 'ended', 'merged')" },
    { name: 'partnerships_reseller_check', expression: "(status = 'named') = (reseller_id is null)" },
    {
      name: 'partnerships_merged_check',
      expression: "(status = 'merged') = (merged_into is not null) and merged_into <> id",
    },
    { name: 'partnerships_low_stock_check', expression: 'low_stock_threshold >= 1' },
  ],
});
export type Partnership = InferEntity<typeof Partnership>;

export interface RateChange {
  /** Basis points; null before the first rate. */
  from: number | null;
  to: number;
}

/** The history of a partnership, which both sides read. Rows are only ever added (a trigger refuses anything else). */
export const PartnershipEvent = defineEntity({
  name: 'PartnershipEvent',
  tableName: 'partnership_events',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    partnership: () => sameTenant(Partnership, 'partnership_id'),
    kind: p.string().$type<HappeningKind>(),
    /** The account that did it. */
    actorId: p.uuid(),
    rate: p.json().$type<RateChange>().nullable(),
    happenedAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'partnership_events_partnership_index',
      expression: 'create index partnership_events_partnership_index on partnership_events (partnership_id, id)',
    },
  ],
  triggers: [
    {
      name: 'partnership_events_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'the history of a partnership is append-only'",
    },
  ],
  checks: [
    {
      name: 'partnership_events_kind_check',
      expression: "kind in ('invited', 'accepted', 'claimed', 'rate_changed', 'paused', 'resumed', 'ended', 'merged')",
    },
  ],
});
export type PartnershipEvent = InferEntity<typeof PartnershipEvent>;
