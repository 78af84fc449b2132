import type { Egress } from '#platform/egress/egress.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { openApi, ShopRefuses } from '../connectors/api.ts';
import { connectors } from '../connectors/index.ts';
import type { ApiConnector, Credentials, Reading, ShopApi } from '../connectors/port.ts';
import { CREDENTIALS_PURPOSE } from '../sealed.ts';
import type { Shop } from '../settling/work.ts';

/** The time and the requests to a shop that the work on one order may take, in all. */
const WORK = { ms: 45_000, most: 200 };

export interface FetchDependencies {
  egress: Egress;
  secrets: Secrets;
  shopSettings: { apiBase: string | undefined };
}

type Sealed = Pick<Shop, 'kind' | 'mode'> & { credentials: Uint8Array | null };

export const openCredentials = (secrets: Secrets, sealed: Uint8Array): Credentials =>
  JSON.parse(secrets.open(Buffer.from(sealed), CREDENTIALS_PURPOSE).toString()) as Credentials;

/** The API of a shop; null: nothing opens it, or it has none. */
export function apiOf(
  { egress, secrets, shopSettings }: FetchDependencies,
  { kind, mode, credentials: sealed }: Sealed,
  bounds = WORK,
): { api: ShopApi; connector: ApiConnector } | null {
  const connector = connectors[kind].api;
  if (!connector || sealed === null) return null;
  const credentials = openCredentials(secrets, sealed);
  if (connector.needs.some((name) => !credentials[name])) return null;
  const { apiBase } = shopSettings;
  return { connector, api: openApi({ egress, apiBase, kind, connector, credentials, mode, ...bounds }) };
}

/** Has a shop send here what its webhook leaves out. @returns why it does not. */
export async function subscribed(
  { api, connector }: { api: ShopApi; connector: ApiConnector },
  address: string,
): Promise<string | null> {
  try {
    await connector.subscribe?.(api, address);
    return null;
  } catch (error) {
    if (error instanceof ShopRefuses) return error.message;
    throw error;
  }
}

export const NO_CREDENTIALS =
  'The shop does not report what was sold, and its API is not opened here. Enter its key, and what waits is worked on.';

/**
 * Adds to what was read what only the shop's API knows. Nothing of it holds a lock or a connection of the database.
 * @throws {ShopAway} when it has to be tried again; {@link ShopRefuses} when somebody has to mend something first.
 */
export async function completed(
  deps: FetchDependencies,
  shop: Sealed,
  readings: readonly Reading[],
): Promise<Reading[]> {
  const connector = connectors[shop.kind].api;
  if (!connector || !readings.some((reading) => 'lacks' in reading)) return [...readings];
  const opened = apiOf(deps, shop);
  const all: Reading[] = [];
  for (const reading of readings) {
    if (!('lacks' in reading)) all.push(reading);
    else if (opened) all.push(await opened.connector.complete(reading, opened.api));
    else if (connector.isNeeded(reading)) throw new ShopRefuses(NO_CREDENTIALS);
    else all.push(reading);
  }
  return all;
}
