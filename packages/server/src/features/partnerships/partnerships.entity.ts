import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { ofLists } from '../../platform/db/list-index.ts';
import { User } from '../accounts/index.ts';

export const partnershipStatuses = ['named', 'active', 'ended'] as const;
export type PartnershipStatus = (typeof partnershipStatuses)[number];

/** The link between a developer and a reseller. `named`: a reseller without an account behind it yet. */
export const Partnership = defineEntity({
  name: 'Partnership',
  tableName: 'partnerships',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(User).mapToPk().primary().fieldName('developer_id'),
    resellerId: () => p.manyToOne(User).mapToPk().fieldName('reseller_id').nullable().index().deleteRule('no action'),
    name: p.text(),
    /** Lower case, for named resellers to be found again. */
    nameKey: p.text(),
    commissionBps: p.integer().default(2000),
    status: p.string().$type<PartnershipStatus>(),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'partnerships_list_index', properties: ['developerId', 'id'], where: ofLists() }],
  uniques: [
    { name: 'partnerships_developer_name_unique', properties: ['nameKey', 'developerId'] },
    { name: 'partnerships_pair_unique', properties: ['resellerId', 'developerId'], where: "status <> 'ended'" },
  ],
  checks: [
    { name: 'partnerships_commission_check', expression: 'commission_bps >= 0 and commission_bps <= 10000' },
    { name: 'partnerships_status_check', expression: "status in ('named', 'active', 'ended')" },
    { name: 'partnerships_reseller_check', expression: "(status = 'named') = (reseller_id is null)" },
  ],
});
export type Partnership = InferEntity<typeof Partnership>;
