import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressOf } from '../addresses.ts';
import { AppError } from '../errors.ts';
import { preferred } from './negotiate.ts';

/**
 * Answers and bodies that last:
 * - `bulk`: imports, exports and generated batches, which take room in the spool.
 * - `file`: product files, to and from the object store.
 * - `live`: server-sent events.
 */
export type StreamKind = 'bulk' | 'file' | 'live';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Simultaneous calls of this route are bounded. `rows`: only those that ask for something else than JSON. */
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
  // whoever downloads a plugin has no account here, and may sit in a large office
  file: { perAccount: 16, perAddress: 128, perProcess: 4000 },
  live: { perAccount: 20, perAddress: 200, perProcess: 4000 },
};

const RETRY_AFTER = 10;

/** Bounds the streams that are open at once: per account, per address and in this process. Comes after the guard. */
export function capStreams(app: FastifyInstance): void {
  const open = new Map<string, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const kind = kindOf(request);
    if (!kind) return done();
    const { perAccount, perAddress, perProcess } = caps[kind];
    const account = request.principal?.userId;
    const counted: [string, number][] = [
      [kind, perProcess],
      [`${kind} from ${addressOf(request.ip)}`, perAddress],
      ...(account ? [[`${kind} of ${account}`, perAccount] as [string, number]] : []),
    ];
    if (counted.some(([key, most]) => (open.get(key) ?? 0) >= most)) return done(tooMany(kind));
    for (const [key] of counted) open.set(key, (open.get(key) ?? 0) + 1);
    reply.raw.once('close', () => {
      for (const [key] of counted) {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }
    });
    done();
  });
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
  return new AppError('busy', `Too many ${what} at once. Try again in a moment.`, { retryAfter: RETRY_AFTER });
}
