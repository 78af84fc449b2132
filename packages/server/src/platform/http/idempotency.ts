import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, DAY, MINUTE, SECOND } from '../clock.ts';
import type { Sql } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Random } from '../random.ts';
import type { Secrets } from '../secrets/secrets.ts';
import * as q from './idempotency.queries.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `answer`: a repeat gets the stored response. `resource`: the route itself answers a repeat from the resource it
     * created, whose id is `request.resourceId` (for streamed responses). `upload`: a repeat gets the stored response
     * once its streamed body has proven to be the same: the route calls `reply.uploaded`.
     */
    idempotent?: Mode;
  }
  interface FastifyRequest {
    /** The id for what this request makes: the same for a repeat with the same Idempotency-Key. */
    resourceId: string;
    idempotency: Claim | null;
  }
  interface FastifyReply {
    /**
     * Compares a body that streamed with the one that the Idempotency-Key came with first. True: it is a repeat, and
     * has been answered.
     * @param digest of all its bytes.
     * @throws {AppError} idempotency_key_reused
     */
    uploaded(digest: Buffer): Promise<boolean>;
    /** Renews the lease of a request that takes longer than one. */
    stillWorking(): Promise<void>;
  }
}

type Mode = 'answer' | 'resource' | 'upload';

interface Claim {
  id: string;
  /** The first request was answered: this one gets the same. */
  replay: boolean;
  row: q.Claimed;
}

interface Dependencies {
  db: Sql;
  clock: Clock;
  random: Random;
  secrets: Secrets;
}

const LIFETIME = DAY;
/** A process that has not answered for this long is dead; a repeat may run. What it made is found by its id. */
const LEASE = 2 * MINUTE;
const KEY = /^"?([\x21\x23-\x7e]{1,255})"?$/;

/** Hourly: deletes responses that can no longer be repeated. */
export async function expireIdempotency({ db, clock }: Pick<Dependencies, 'db' | 'clock'>): Promise<void> {
  await q.deleteExpired(db, clock.now());
}

/**
 * Idempotency-Key for every POST that creates something: a repeat with the same body within 24 hours gets the first
 * answer, one with another body 422, one while the first still runs 409. Refused requests are not remembered; after one
 * whose outcome is unknown, a repeat runs again with the same id and finds what was made.
 */
export function idempotency(app: FastifyInstance, deps: Dependencies): void {
  app.decorateRequest('resourceId', '');
  app.decorateRequest('idempotency', null);

  app.addHook('preHandler', (request, reply, done) => {
    const mode = request.routeOptions.config.idempotent;
    if (!mode) return done();
    begin(request, reply, mode).then((answered) => answered || done(), done);
  });

  const begin = async (request: FastifyRequest, reply: FastifyReply, mode: Mode): Promise<boolean> => {
    const key = readKey(request);
    if (key === null) {
      request.resourceId = deps.random.id();
      return false;
    }
    const fingerprint = mode === 'upload' ? q.UNKNOWN : fingerprintOf(deps, request, request.body ?? null);
    const row = await claim(deps, request, key, fingerprint);
    request.resourceId = row.id;
    const replay = row.status !== null;
    request.idempotency = { id: row.id, replay, row };
    if (!replay || mode === 'upload') return false;
    return answerAgain(reply, row, mode);
  };

  const answerAgain = async (reply: FastifyReply, row: q.Claimed, mode: Mode): Promise<boolean> => {
    reply.header('idempotency-replayed', 'true');
    if (mode === 'resource' || row.answer === null) return false;
    const stored = JSON.parse(deps.secrets.open(row.answer, 'idempotency').toString()) as {
      type: string;
      body: string;
    };
    // the stored text is the answer: it must not be serialized a second time
    await reply
      .code(row.status as number)
      .serializer((text: unknown) => text as string)
      .type(stored.type)
      .send(stored.body);
    return true;
  };

  app.decorateReply('uploaded', async function (digest) {
    const { request } = this;
    const claimed = request.idempotency;
    if (!claimed) return false;
    const fingerprint = fingerprintOf(deps, request, digest);
    if (claimed.replay) {
      if (!claimed.row.fingerprint.equals(fingerprint)) throw reused();
      return answerAgain(this, claimed.row, 'upload');
    }
    if (await q.keepFingerprint(deps.db, claimed.id, fingerprint)) return false;
    // a request that another file began and did not end stays that one's
    request.idempotency = null;
    throw reused();
  });

  app.decorateReply('stillWorking', async function () {
    const claimed = this.request.idempotency;
    const now = deps.clock.now().getTime();
    if (!claimed || claimed.replay || claimed.row.locked_until.getTime() - now > LEASE / 2) return;
    claimed.row.locked_until = new Date(now + LEASE);
    await q.lockUntil(deps.db, claimed.id, claimed.row.locked_until);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const claimed = request.idempotency;
    if (!claimed || claimed.replay) return done(null, payload);
    conclude(claimed, request, reply, payload).then(() => done(null, payload), done);
  });

  const conclude = async (claimed: Claim, request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (reply.statusCode >= 200 && reply.statusCode < 300) return remember(deps, claimed.id, request, reply, payload);
    if (claimed.row.first && isRefusal(reply.statusCode)) return q.forgetClaim(deps.db, claimed.id);
    // the next repeat runs at once, and finds by the id what may have been made; without this it waits until the lease is over, and that
    // must not hide what happened here
    await q
      .lockUntil(deps.db, claimed.id, deps.clock.now())
      .catch((error) => request.log.warn({ err: error }, 'the key of a failed request could not be released'));
  };
}

/**
 * Nothing was made. Otherwise that is unknown: the connection can break between a commit and its confirmation, and a
 * batch can be there before its stream is refused for lack of room.
 */
function isRefusal(status: number): boolean {
  return status < 500 && status !== BUSY;
}

const BUSY = 429;

function readKey(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const match = typeof header === 'string' ? KEY.exec(header.trim()) : null;
  if (!match) throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  return match[1] as string;
}

/** Keyed, because bodies hold passwords. Of a file only its digest counts. */
function fingerprintOf({ secrets }: Dependencies, { params, query }: FastifyRequest, body: unknown): Buffer {
  const parts =
    typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
      ? Object.entries(body).map(([name, value]) => [name, digested(value)])
      : digested(body);
  return secrets.mac(JSON.stringify([params, query, parts]), 'idempotency-body');
}

function digested(value: unknown): unknown {
  return Buffer.isBuffer(value) ? ['bytes', hash('sha256', value)] : value;
}

async function claim(
  deps: Dependencies,
  request: FastifyRequest,
  key: string,
  fingerprint: Buffer,
): Promise<q.Claimed> {
  const who = request.principal?.accountId ?? request.ip;
  const route = `${request.method} ${request.routeOptions.url}`;
  const scope = deps.secrets.mac(JSON.stringify([who, route, key]), 'idempotency');
  const now = deps.clock.now();
  const lock = new Date(now.getTime() + LEASE);
  const expires = new Date(now.getTime() + LIFETIME);
  const [taken] = await q.claim(deps.db, deps.random.id(), scope, fingerprint, now, lock, expires);
  const row = taken ?? (await q.findClaimed(deps.db, scope))[0];
  if (!row) throw inProgress(0);
  if (row.fresh) return row;
  // an upload is compared when it has arrived
  if (fingerprint !== q.UNKNOWN && !row.fingerprint.equals(fingerprint)) throw reused();
  if (row.status === null) throw inProgress(row.locked_until.getTime() - now.getTime());
  return row;
}

function reused(): AppError {
  return new AppError('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
}

/** @param left milliseconds for which it keeps repeats away, if it does not renew that. */
function inProgress(left: number): AppError {
  return new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfter: 1,
    heldFor: Math.max(1, Math.ceil(left / SECOND)),
  });
}

async function remember(
  deps: Dependencies,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const whole = request.routeOptions.config.idempotent !== 'resource' && typeof payload === 'string';
  const type = String(reply.getHeader('content-type') ?? 'application/json');
  const answer = whole ? deps.secrets.seal(JSON.stringify({ type, body: payload }), 'idempotency') : null;
  await q.noteAnswer(deps.db, id, reply.statusCode, answer);
}
