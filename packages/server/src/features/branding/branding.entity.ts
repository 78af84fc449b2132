import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/index.ts';

/** A developer's own host for the redemption page. It counts once DNS says that it points to us. */
export const CustomDomain = defineEntity({
  name: 'CustomDomain',
  tableName: 'custom_domains',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(User).mapToPk().fieldName('developer_id').deleteRule('cascade'),
    /** Lower case, without a port. */
    host: p.text(),
    /** Since when it waits for its DNS: when it was last asked for, or lost. */
    createdAt: p.datetime(3),
    checkedAt: p.datetime(3).nullable(),
    /** When DNS last said that it points to us. Null while it does not. */
    verifiedAt: p.datetime(3).nullable(),
  },
  uniques: [
    { name: 'custom_domains_developer_unique', properties: ['developerId'] },
    // who only claims a host keeps nobody from proving that it is theirs
    { name: 'custom_domains_host_unique', properties: ['host'], where: 'verified_at is not null' },
  ],
});
export type CustomDomain = InferEntity<typeof CustomDomain>;
