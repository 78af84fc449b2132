import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { Patience } from './patience.ts';

/**
 * The purpose of a piece of work, which decides what connections it may use:
 * - `licensing`: plugins and redemption. Nothing else can take a connection from them.
 * - `api`: sign-in, sessions and everything else that answers at once.
 * - `bulk`: imports, exports, large batches and deletions. Only reached through the bulk gate.
 * - `jobs`: background work.
 * - `migration`: schema changes, which may take as long as they need.
 * - `probe`: the readiness check alone.
 */
export type LaneName = 'licensing' | 'api' | 'bulk' | 'jobs' | 'migration' | 'probe';

export interface Credential {
  kind: 'session' | 'access_token' | 'plugin_key';
  id: string;
  accountId: string;
}

/** Who asked for a piece of work, and from where. */
export interface Origin {
  ip: string;
  userAgent: string | null;
  /** Once it is known. */
  credential?: Credential;
}

interface Work {
  lane: LaneName;
  /** Undefined: nobody did, as for a job. */
  origin: Origin | undefined;
  /** The account that the work is for, once it is known. */
  account: string | undefined;
  /** Set inside a transaction; `held` while it has its connection. */
  transaction: { held: boolean; client?: pg.PoolClient } | undefined;
  /** How long it waits for the database; undefined: for each statement as long as its lane does. */
  patience: Patience | undefined;
}

/** A plugin hears within six seconds that the database does not answer. */
const PLUGIN_PATIENCE_MS = 5500;

const storage = new AsyncLocalStorage<Work>();
const DEFAULT: Readonly<Work> = {
  lane: 'api',
  origin: undefined,
  account: undefined,
  transaction: undefined,
  patience: undefined,
};

/** The work that the running code belongs to. */
export function currentWork(): Readonly<Work> {
  return storage.getStore() ?? DEFAULT;
}

/** A new piece of work, to be entered as often as its calls come back from a socket. */
export function newWork(lane: LaneName, origin?: Origin): Work {
  const patience = lane === 'licensing' ? new Patience(PLUGIN_PATIENCE_MS) : undefined;
  return { lane, origin, account: undefined, transaction: undefined, patience };
}

export function enter<T>(work: Work, run: () => T): T {
  return storage.run(work, run);
}

/** Runs something on the connections of another lane. */
export function inLane<T>(lane: LaneName, run: () => T): T {
  return storage.run({ ...currentWork(), lane, transaction: undefined, patience: undefined }, run);
}

/** Runs one transaction: it holds a single connection, and code inside it must not request a second. */
export function inTransaction<T>(run: () => T): T {
  return storage.run({ ...currentWork(), transaction: { held: false } }, run);
}

/** Notes the credential that the running work was asked for with. */
export function askedWith(credential: Credential): void {
  const origin = storage.getStore()?.origin;
  if (origin) origin.credential = credential;
}

/** Counts the running work against this account's share of its lane from now on. */
export function workFor(account: string): void {
  const work = storage.getStore();
  if (work) work.account = account;
}
