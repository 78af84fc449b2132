import { Resolver } from 'node:dns/promises';

/** Port: DNS lookups of a host. */
export interface Dns {
  /**
   * The hosts that this host is an alias of; empty when there is no such host or no such record.
   * @throws when DNS could not be queried.
   */
  cname(host: string): Promise<string[]>;
}

const TIMEOUT = 3000;
/** The resolver's own words for "there is none". */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);

/** The machine's own resolvers, or the given ones. */
export function systemDns(servers?: string[]): Dns {
  return {
    async cname(host) {
      // one for each question, because canceling one would cancel the others
      const resolver = new Resolver({ timeout: TIMEOUT, tries: 1 });
      if (servers) resolver.setServers(servers);
      // the resolver's timeout is for one server; there may be several
      const timer = setTimeout(() => resolver.cancel(), TIMEOUT);
      try {
        return await resolver.resolveCname(host);
      } catch (error) {
        if (NONE.has((error as { code?: string }).code ?? '')) return [];
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** `unknown`: DNS could not be queried, so nothing is known about the host. */
export type Pointing = 'here' | 'elsewhere' | 'unknown';

const MOST_ALIASES = 5;

/** Whether a host is an alias of the target, directly or by way of at most four others. */
export async function pointsTo(dns: Dns, host: string, target: string): Promise<Pointing> {
  let current = host;
  try {
    for (let step = 0; step < MOST_ALIASES; step += 1) {
      const names = (await dns.cname(current)).map((name) => name.toLowerCase().replace(/\.$/, ''));
      if (names.includes(target)) return 'here';
      if (!names[0]) return 'elsewhere';
      current = names[0];
    }
    return 'elsewhere';
  } catch {
    return 'unknown';
  }
}
