import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

const TIMEOUT = 3000;

class NameUnknown extends Error {
  readonly code = 'ENOTFOUND';
}

/**
 * Looks names up with a resolver of its own. The system's look-up occupies a thread of the few that all of the process
 * shares, files and cryptography too: some names whose servers are silent would stall everybody.
 * @param servers instead of the machine's.
 */
export function resolverLookup(servers?: string[], timeout = TIMEOUT): LookupFunction {
  return (host, options, done) => {
    // answers like the system's look-up, so that a refusal reads the same
    if (/(^|\.)localhost\.?$/i.test(host)) {
      const self = { address: '127.0.0.1', family: 4 };
      setImmediate(() => (options.all ? done(null, [self]) : done(null, self.address, self.family)));
      return;
    }
    // one for each question, because canceling one would cancel the others
    // a server that is silent, or an answer that is lost, leaves time for another try
    const resolver = new Resolver({ timeout: Math.ceil(timeout / 3), tries: 2 });
    if (servers) resolver.setServers(servers);
    // the resolver's timeout is for one try; this is for all of them
    const timer = setTimeout(() => resolver.cancel(), timeout);
    const found = Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    void found.then(([v4, v6]) => {
      clearTimeout(timer);
      const addresses = [
        ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
        ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
      ];
      const [first] = addresses;
      if (!first) done(new NameUnknown(), '', 0);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
