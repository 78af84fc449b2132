import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#platform/errors.ts';
import { FairSlots } from '#platform/limits/fair-slots.ts';
import { addressOf } from '#platform/network/addresses.ts';
import { preferred } from '../answers/negotiate.ts';

/**
 * Long-lived responses and bodies:
 * - `bulk`: imports, exports and generated batches, which take room in the spool.
 * - `file`: product files, to and from the object store.
 * - `live`: server-sent events.
 */
export type StreamKind = 'bulk' | 'file' | 'live';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limits concurrent calls of this route. `rows`: only those that request a format other than JSON. */
    stream?: StreamKind | 'rows';
  }
}

interface Caps {
  perAccount: number;
  perAddress: number;
  perProcess: number;
}

const caps: Record<StreamKind, Caps> = {
  bulk: { perAccount: 8, perAddress: 32, perProcess: 128 },
  // people who download a plugin have no account here, and may share a large office's address
  file: { perAccount: 16, perAddress: 128, perProcess: 4000 },
  live: { perAccount: 20, perAddress: 200, perProcess: 4000 },
};

/** Limits the number of open streams: per account, per address and in this process. Runs after the guard. */
export function capStreams(app: FastifyInstance): void {
  const slots = { bulk: slotsOf('bulk'), file: slotsOf('file'), live: slotsOf('live') };
  app.addHook('onRequest', (request, reply, done) => {
    const kind = kindOf(request);
    if (!kind) return done();
    const { ofAccounts, ofAddresses } = slots[kind];
    const releaseAccount = ofAccounts.take(request.principal?.accountId);
    let releaseAddress: () => void;
    try {
      releaseAddress = ofAddresses.take(addressOf(request.ip));
    } catch (full) {
      releaseAccount();
      throw full;
    }
    reply.raw.once('close', () => {
      releaseAddress();
      releaseAccount();
    });
    done();
  });
}

function slotsOf(kind: StreamKind): { ofAccounts: FairSlots; ofAddresses: FairSlots } {
  const { perAccount, perAddress, perProcess: total } = caps[kind];
  const busy = () => tooMany(kind);
  return {
    ofAccounts: new FairSlots({ total, perKey: perAccount, busy }),
    ofAddresses: new FairSlots({ total, perKey: perAddress, busy }),
  };
}

function kindOf(request: FastifyRequest): StreamKind | undefined {
  const { stream } = request.routeOptions.config;
  if (stream !== 'rows') return stream;
  try {
    return preferred(request) === 'json' ? undefined : 'bulk';
  } catch {
    // the route itself refuses what it cannot answer
    return undefined;
  }
}

function tooMany(kind: StreamKind): AppError {
  const what = {
    bulk: 'imports and exports are running',
    file: 'file transfers are running',
    live: 'live connections are open',
  }[kind];
  return new AppError('busy', `Too many ${what} at once. Try again in a moment.`, { retryAfter: 10 });
}
