import { type Connections, settleConnections } from '#platform/db/pools/pooler.ts';
import type { ReadyConfig } from './base.ts';

/** How this process reaches its database. See {@link settleConnections}. */
export function connectionsFor(config: ReadyConfig): Promise<Connections> {
  return settleConnections({
    databaseUrl: config.databaseUrl,
    directUrl: config.directDatabaseUrl,
    named: config.preparedStatements,
  });
}
