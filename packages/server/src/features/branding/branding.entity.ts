import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/** A developer's custom domain for the redemption page. It takes effect once DNS shows that it points to us. */
export const CustomDomain = defineEntity({
  name: 'CustomDomain',
  tableName: 'custom_domains',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().fieldName('developer_id').deleteRule('cascade'),
    /** Lower case, without a port. */
    host: p.text(),
    /** Waiting for its DNS since then: since it was last requested, or lost. */
    createdAt: p.datetime(3),
    checkedAt: p.datetime(3).nullable(),
    /** When DNS last pointed to us. Null while it does not. */
    verifiedAt: p.datetime(3).nullable(),
  },
  uniques: [
    { name: 'custom_domains_developer_unique', properties: ['developerId'] },
    // merely claiming a host must not stop another developer from proving that it is theirs
    { name: 'custom_domains_host_unique', properties: ['host'], where: 'verified_at is not null' },
  ],
});
export type CustomDomain = InferEntity<typeof CustomDomain>;
