import { defineEntity, p } from '@mikro-orm/core';

/** One sealed row for each secret that has sealed anything in this database, so that a missing one is noticed. */
export const SecretProbe = defineEntity({
  name: 'SecretProbe',
  tableName: 'secret_probes',
  properties: {
    /** Names the secret without giving it away. */
    fingerprint: p.text().primary(),
    sealed: p.blob(),
    createdAt: p.datetime(3),
  },
});
