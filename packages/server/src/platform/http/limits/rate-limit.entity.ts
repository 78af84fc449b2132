import { defineEntity, p } from '@mikro-orm/core';

/** The limits that all processes share. rate-limiter-flexible reads and writes it; the columns are its. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.string().length(255).primary(),
    points: p.integer().default(0),
    expire: p.bigint('number').nullable().index(),
  },
});
