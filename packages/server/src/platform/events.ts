import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { stopwatch } from './clock.ts';
import type { Sql } from './db/database.ts';
import { endWhenSilent } from './db/pools/silence.ts';
import type { Logger } from './log.ts';
import { tables } from './tables.ts';

interface AnyEvent {
  type: string;
  data: object;
}

/** One type of events, as a feature declares it. */
export type EventSchema = z.ZodObject<{ type: z.ZodLiteral<string>; data: z.ZodType<object, object> }>;

/** The schema of all events that are declared. */
export function eventOf(declared: readonly EventSchema[]): z.ZodType<AnyEvent, AnyEvent> {
  return z.discriminatedUnion('type', declared as readonly [EventSchema, ...EventSchema[]]);
}

/** Publishes the events that a feature declares. */
export interface Publisher<Event extends AnyEvent> {
  /** One event or several, to one account or several. Delivered if, and only if, the transaction of `sql` commits. */
  publish: (sql: Sql, accountIds: string | readonly string[], events: Event | readonly Event[]) => Promise<void>;
}

/** Some events may have been missed: everything has to be read again. */
export const Resync = z.object({ type: z.literal('resync'), data: z.object({}) });

/** Port: keeps of an event what is worth it, in the transaction of `sql`. */
export type Keep = (sql: Sql, accountIds: readonly string[], event: AnyEvent) => Promise<void>;

type Listener<Event> = (event: Event) => void;
type Waker = (accountId?: string) => void;

const CHANNEL = 'tonerow_live';

/** An event as it is sent, for one whose schema has been declared all the same. */
export interface Notice {
  /** Empty: no account hears of it. */
  account: string;
  type: string;
  data: object;
}

const notify = tables.named(
  'notify',
  (_, notices: readonly string[]) =>
    sql<never>`select pg_notify(${CHANNEL}, notice) from unnest(${notices}::text[]) notice`,
);

const payloadOf = ({ account: a, type, data }: Notice) => JSON.stringify({ a, type, data });

/**
 * Sends what a statement returned that is to be heard, in the transaction of both. NOTIFY is a statement of its own: within one that
 * reads a tenant's table it would run where that table is, and nobody listens there.
 */
export async function sendNotices(handle: Sql, notices: readonly Notice[]): Promise<void> {
  if (notices.length > 0) await notify(handle, notices.map(payloadOf));
}

/** PostgreSQL refuses longer notices. */
const MAX_BYTES = 7900;
const RETRY_MS = 1000;
/** An account's last event is remembered that long. */
export const REMEMBERED_SECONDS = 300;
/** The travel time of a call that names how long ago its caller read the lists: the line may be slow. */
const ON_THE_WAY_SECONDS = 10;
/** A connection that only listens would never notice that its network is gone. */
const HEARTBEAT = { every: 30_000, within: 10_000 };

/**
 * Live events, from any process to the listeners of every process, by LISTEN and NOTIFY. An event that is published in
 * a transaction is delivered if, and only if, that commits. Events are not stored: a listener that was away reads
 * the lists again.
 * Listeners get what the schema makes of an event for the wire, and nothing else can be published.
 */
export class Events<Schema extends z.ZodType<AnyEvent, AnyEvent>> implements Publisher<z.output<Schema>> {
  readonly #url: string;
  readonly #log: Logger;
  readonly #schema: Schema;
  readonly #listeners = new Map<string, Set<Listener<AnyEvent>>>();
  readonly #keepers: Keep[] = [];
  readonly #wakers = new Map<string, Set<Waker>>();
  readonly #heartbeat: typeof HEARTBEAT;
  /** When the last event of an account was heard, those heard longest ago first, in milliseconds of this process. */
  readonly #lastEventAt = new Map<string, number>();
  #listeningSince = Number.POSITIVE_INFINITY;
  #client: pg.Client | undefined;
  #listening: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(options: { url: string; log: Logger; schema: Schema; heartbeat?: typeof HEARTBEAT }) {
    this.#url = options.url;
    this.#log = options.log;
    this.#schema = options.schema;
    this.#heartbeat = options.heartbeat ?? HEARTBEAT;
  }

  /** Before the first event is published. */
  keepWith(keepers: readonly Keep[]): void {
    this.#keepers.push(...keepers);
  }

  /** Listens from now on, and again whenever the connection is lost. */
  async start(): Promise<void> {
    const connection = await this.#connect();
    this.#listening = this.#stayConnected(connection).catch((error) =>
      this.#log.error({ err: error }, 'live notices stopped'),
    );
  }

  /** Afterwards no connection is open, and none will be. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#listening;
  }

  async publish(
    handle: Sql,
    accountIds: string | readonly string[],
    events: z.output<Schema> | readonly z.output<Schema>[],
  ): Promise<void> {
    const accounts = [accountIds].flat();
    const bodies = ([events].flat() as z.output<Schema>[]).map((event) => z.encode(this.#schema, event));
    const notices = bodies.flatMap((body) => accounts.map((account) => payloadOf({ account, ...body })));
    for (const { length } of notices.filter((notice) => Buffer.byteLength(notice) > MAX_BYTES))
      throw new Error(`a notice of ${length} characters is too long`);
    for (const body of bodies) for (const keep of this.#keepers) await keep(handle, accounts, body);
    await notify(handle, notices);
  }

  /** @returns how to stop. */
  subscribe(accountId: string, listener: Listener<z.input<Schema> | z.input<typeof Resync>>): () => void {
    const listeners = this.#listeners.get(accountId) ?? new Set();
    listeners.add(listener as Listener<AnyEvent>);
    this.#listeners.set(accountId, listeners);
    return () => {
      listeners.delete(listener as Listener<AnyEvent>);
      if (listeners.size === 0 && this.#listeners.get(accountId) === listeners) this.#listeners.delete(accountId);
    };
  }

  /**
   * Whether an account may have had an event since so many seconds ago: one that was not heard here counts as well.
   * @param seconds at most REMEMBERED_SECONDS.
   */
  mayHaveHad(accountId: string, seconds: number): boolean {
    const since = stopwatch() - (seconds + ON_THE_WAY_SECONDS) * 1000;
    return this.#listeningSince > since || (this.#lastEventAt.get(accountId) ?? 0) > since;
  }

  /** Calls back at every event of a type, with its account, and without one when some may have been missed. */
  wakeOn(type: string, waker: Waker): void {
    this.#wakers.set(type, (this.#wakers.get(type) ?? new Set()).add(waker));
  }

  /** One listening connection, and when it ends. A connection that fails ends before it is given out. */
  async #connect(): Promise<{ ended: Promise<void> }> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      application_name: 'tonerow-live',
    });
    client.on('notification', ({ payload }) => this.#deliver(payload ?? ''));
    client.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    this.#client = client;
    try {
      await client.connect();
      endWhenSilent(client, this.#heartbeat.within);
      await client.query(`listen ${CHANNEL}`);
      this.#listeningSince = stopwatch();
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    let beat: NodeJS.Timeout | null = setTimeout(() => void ask(), this.#heartbeat.every).unref();
    const ask = async () => {
      await client.query('select 1').catch(() => undefined);
      if (beat) beat = setTimeout(() => void ask(), this.#heartbeat.every).unref();
    };
    void ended.then(() => {
      clearTimeout(beat ?? undefined);
      beat = null;
    });
    return { ended };
  }

  /** The one loop that holds the connection: at most one is open or being opened at any time. */
  async #stayConnected(connection: { ended: Promise<void> }): Promise<void> {
    let current = connection;
    while (!this.#stop.signal.aborted) {
      await current.ended;
      if (this.#stop.signal.aborted) return;
      current = await this.#again();
      // events may have been missed in the meantime: every listener reads its lists again
      for (const wakers of this.#wakers.values()) for (const wake of wakers) wake();
      for (const listeners of this.#listeners.values()) {
        for (const listener of listeners) listener({ type: 'resync', data: {} });
      }
    }
  }

  async #again(): Promise<{ ended: Promise<void> }> {
    while (!this.#stop.signal.aborted) {
      try {
        return await this.#connect();
      } catch (error) {
        this.#log.warn({ err: error }, 'live notices wait for the database');
        await pause(RETRY_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined);
      }
    }
    return { ended: Promise.resolve() };
  }

  #remember(accountId: string): void {
    const now = stopwatch();
    this.#lastEventAt.delete(accountId);
    this.#lastEventAt.set(accountId, now);
    const forgotten = now - (REMEMBERED_SECONDS + ON_THE_WAY_SECONDS) * 1000;
    for (const [account, at] of this.#lastEventAt) {
      if (at > forgotten) return;
      this.#lastEventAt.delete(account);
    }
  }

  #deliver(payload: string): void {
    const { a, type, data } = JSON.parse(payload) as { a: string } & AnyEvent;
    this.#remember(a);
    for (const wake of this.#wakers.get(type) ?? []) wake(a);
    for (const listener of this.#listeners.get(a) ?? []) listener({ type, data });
  }
}

/** Events of any type, for code that does not need the list of events. */
export type AnyEvents = Events<z.ZodType<AnyEvent, AnyEvent>>;
