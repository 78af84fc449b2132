import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A request with one of an account's credentials. Never what it sent: the route has names in place of ids, and no query. */
export const ApiRequest = defineEntity({
  name: 'ApiRequest',
  tableName: 'api_requests',
  properties: {
    /** An account of either role. No foreign key: nothing may wait for the account's row. */
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    at: p.datetime(3),
    method: p.text(),
    /** As it is declared, such as `/api/serials/:id`. */
    route: p.text(),
    status: p.smallint(),
    credential: p.text().$type<'access_token' | 'plugin_key'>(),
    credentialId: p.uuid(),
    /** As it was called at that time. */
    credentialName: p.text().nullable(),
    /** Null for plugins: it would be that of a customer. */
    ip: p.text().nullable(),
    requestId: p.text(),
    ms: p.integer(),
    /** How many more there were until the end of that minute, without a line of their own. */
    omitted: p.integer().default(0),
  },
  indexes: [{ name: 'api_requests_at_index', properties: ['at'] }],
});
export type ApiRequest = InferEntity<typeof ApiRequest>;
