import { type Clock, MINUTE, SECOND, stopwatch } from '#platform/clock.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { BackgroundWork } from '#platform/feature.ts';
import { Slots } from '#platform/limits/slots.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { inLane } from '#platform/work-context.ts';
import { bodyOf } from '../events/event-body.ts';
import { headersOf, signatureOf } from '../signing/sign.ts';
import type { Signers } from '../signing/signers.ts';
import type { WebhooksDb } from '../tables.ts';
import { type Due, readDue } from './due.ts';
import { healthOf, isGoneOrSlow, writeHealth } from './endpoint-health.ts';
import { LeaseTable } from './lease-table.ts';
import { nextDue } from './leases.ts';
import type { Outcome } from './outcome.ts';
import { type EndpointState, PER_ENDPOINT, Scheduler } from './scheduler.ts';
import { writeOutcomes } from './write-outcomes.ts';

interface Dependencies {
  db: WebhooksDb;
  clock: Clock;
  random: Random;
  log: Logger;
  egress: Egress;
  signers: Signers;
  /** Counts requests by whether they were good. */
  figures: { ended(good: readonly boolean[]): void };
  /** After attempts failed: warns, and switches off what has failed for too long. */
  onFailures: () => Promise<void>;
}

/** The most deliveries in hand, in all and of one endpoint: a request that ends never waits for the database. */
const IN_HAND = 1000;
const AHEAD = 100;
/** While so many wait for a free request, no more is read of an endpoint that has something in hand. */
const ENOUGH = 250;
/** A delivery that waits for a request for longer than this is read anew. */
const LONGEST_WAIT = 5 * SECOND;
const LONGEST_PAUSE = 30 * SECOND;
const SHORTEST_PAUSE = 50;
/** While there is enough to send, it looks this often without a notice, and no more often after one. */
const BUSY_PAUSE = SECOND / 4;
const BUSY_LOOKS = SECOND / 20;
const AFTER_TROUBLE = 2 * SECOND;
/** Deliveries that become due within this time are read together. */
const GATHER = 5;
/** Requests that end within this time are noted together, while there is more to send, or once there are so many. */
const NOTE_AFTER = 40;
const NOTE_TOGETHER = 250;
/** Endpoints whose requests take longer than this share places with others of that kind. */
const LATE_AFTER = SECOND;
/** How long requests may still take when the process stops; then they are ended. */
const PATIENCE = 3 * SECOND;

/**
 * Sends what is due, in each worker process. The table is the truth: a notice only wakes it sooner. A process sends to the
 * endpoints that it has a lease of, and nothing is written of a delivery before it has ended. One loop reads and notes;
 * requests begin as others end.
 */
export class Deliverer implements BackgroundWork {
  readonly #deps: Dependencies;
  readonly #scheduler = new Scheduler();
  readonly #leases: LeaseTable;
  readonly #sending = new Slots<Promise<void>>();
  readonly #ended: { endpoint: EndpointState; outcome: Outcome }[] = [];
  #running = false;
  #woken = false;
  #loop: Promise<void> = Promise.resolve();
  /** Endpoints that may have something due, as a notice reported. */
  readonly #notified = new Set<string>();
  /** When something may be due at any endpoint. */
  #lookAt = 0;
  #lookedAt = 0;
  /** When it looks by itself, and what wakes it then. */
  #soon: { at: number; timer: NodeJS.Timeout } | undefined;
  #rouse: () => void = () => undefined;
  #stop = new AbortController();

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#leases = new LeaseTable({ ...deps, scheduler: this.#scheduler });
  }

  /** Something may be due. @param accountId whose; undefined: anybody's. */
  wake(accountId?: string): void {
    if (accountId === undefined) this.#lookAt = 0;
    else if (this.#running) this.#notified.add(accountId);
    this.#lookIn(GATHER);
  }

  /** Endpoints may have changed: what was read and is not being sent yet is to be read anew. */
  recall(): void {
    this.#leases.recall();
    this.wake();
  }

  resume(): void {
    if (this.#running) return;
    this.#running = true;
    this.#lookAt = 0;
    this.#stop = new AbortController();
    this.#loop = inLane('jobs', () => this.#run());
  }

  async pause(): Promise<void> {
    if (!this.#running) return;
    this.#running = false;
    this.#look();
    await this.#loop;
    this.#leases.recall();
    const patience = setTimeout(() => this.#stop.abort(), PATIENCE);
    await Promise.all(this.#sending);
    clearTimeout(patience);
    await this.#note().catch((error) => this.#deps.log.warn({ err: error }, 'attempts of webhooks could not be noted'));
    await this.#leases
      .releaseAll()
      .catch((error) => this.#deps.log.warn({ err: error }, 'leases of webhooks stay until they end'));
  }

  async #run(): Promise<void> {
    while (this.#running) {
      this.#woken = false;
      try {
        await this.#note();
        await this.#leases.keep();
        await this.#sleep(await this.#read());
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'webhooks could not be sent, and will be soon');
        this.#lookAt = 0;
        await this.#sleep(AFTER_TROUBLE, true);
      }
    }
  }

  /** Sleeps until it is time to look again. @param soundly only the end of the process wakes it. */
  async #sleep(ms: number, soundly = false): Promise<void> {
    const until = stopwatch() + ms;
    for (let left = ms; this.#running && left > 0 && (soundly || !this.#woken); left = until - stopwatch()) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#rouse = resolve;
        timer = setTimeout(resolve, left);
      });
      clearTimeout(timer);
    }
    this.#rouse = () => undefined;
  }

  #look(): void {
    this.#forgetSoon();
    this.#woken = true;
    this.#rouse();
  }

  #lookIn(ms: number): void {
    const at = stopwatch() + ms;
    if (!this.#running || (this.#soon && this.#soon.at <= at)) return;
    this.#forgetSoon();
    this.#soon = { at, timer: setTimeout(() => this.#look(), ms) };
  }

  #forgetSoon(): void {
    clearTimeout(this.#soon?.timer);
    this.#soon = undefined;
  }

  /** Reads what there is room for. @returns after how many milliseconds to look again, unless something ends or wakes it. */
  async #read(): Promise<number> {
    if (!this.#running) return 0;
    const { db, clock } = this.#deps;
    const looks = stopwatch() >= this.#nextLook();
    const accounts = stopwatch() >= this.#lookAt ? undefined : [...this.#notified];
    if (looks) {
      if (accounts === undefined) this.#lookAt = Number.POSITIVE_INFINITY;
      this.#notified.clear();
      this.#lookedAt = stopwatch();
      await this.#leases.look(clock.now(), accounts);
    }
    const wanted = this.#wanted();
    const readAt = stopwatch();
    const found =
      wanted.length === 0
        ? new Map<string, Due[]>()
        : await readDue(db, { holder: this.#leases.holder, now: clock.now(), wanted, known: this.#scheduler.ids });
    for (const { endpoint, most } of wanted) {
      // deliveries that were read before the endpoint changed are read anew
      if (endpoint.changedAt > readAt) continue;
      const own = found.get(endpoint.id) ?? [];
      endpoint.mayBeDue = own.length === most;
      if (own[0]) this.#leases.learn(endpoint, own[0].to);
      for (const due of own) this.#scheduler.add(endpoint, due, readAt);
    }
    this.#begin();
    if (found.size > 0 || this.#scheduler.waiting > 0) this.#lookBy(BUSY_PAUSE);
    else if (looks) this.#lookBy(await this.#pauseFor(accounts));
    return Math.min(LONGEST_PAUSE, this.#nextLook() - stopwatch(), this.#leases.pause);
  }

  #nextLook(): number {
    const at = this.#notified.size > 0 ? 0 : this.#lookAt;
    return this.#scheduler.ready === 0 ? at : Math.max(at, this.#lookedAt + BUSY_LOOKS);
  }

  #lookBy(ms: number): void {
    this.#lookAt = Math.min(this.#lookAt, stopwatch() + ms);
  }

  /** The endpoints to read from, and how much to read of each. */
  #wanted() {
    const room = IN_HAND - this.#scheduler.ids.size;
    if (room <= 0) return [];
    const enough = this.#scheduler.ready >= ENOUGH;
    const open = this.#leases.serving.filter(
      ({ mayBeDue, yielding, inHand }) => mayBeDue && !yielding && !(enough && inHand > 0),
    );
    // one share is left for the next endpoint
    const share = Math.min(AHEAD, Math.max(PER_ENDPOINT, Math.floor(IN_HAND / (open.length + 1))));
    return open.flatMap((endpoint) => {
      const most = (endpoint.slow ? 1 : endpoint.answers && !endpoint.backsUp ? share : PER_ENDPOINT) - endpoint.inHand;
      return most > 0 ? [{ endpoint, developerId: endpoint.developerId, id: endpoint.id, most }] : [];
    });
  }

  async #pauseFor(accounts: readonly string[] | undefined): Promise<number> {
    const { db, clock } = this.#deps;
    const { holder, busy } = this.#leases;
    const { at, leaseMs } = await nextDue(db, { holder, busy, accounts });
    const wait = at === null ? LONGEST_PAUSE : at.getTime() - clock.now().getTime();
    // due deliveries that were not read have to wait for another's turn to end
    const own = Math.max(wait, wait > 0 ? SHORTEST_PAUSE : SECOND);
    return Math.min(LONGEST_PAUSE, own, Math.max(leaseMs ?? LONGEST_PAUSE, SHORTEST_PAUSE));
  }

  /** Begins as many requests as there may be. */
  #begin(): void {
    while (this.#running) {
      const turn = this.#scheduler.next();
      if (!turn) return;
      const { endpoint, due, readAt, end } = turn;
      if (stopwatch() - readAt > LONGEST_WAIT || !this.#leases.maySend(endpoint)) {
        end();
        this.#scheduler.letGo(endpoint, due);
        this.#scheduler.drop(endpoint);
        endpoint.mayBeDue = true;
        continue;
      }
      const sending = this.#send(due)
        .then((outcome) => this.#keep(endpoint, due, outcome))
        .catch((error) => {
          this.#deps.log.error({ err: error, delivery: due.id }, 'a webhook could not be sent');
          // not at once, as it would fail again
          setTimeout(() => this.#scheduler.letGo(endpoint, due), MINUTE).unref();
        })
        .finally(() => {
          remove();
          end();
          this.#begin();
          this.#lookAtEnds();
        });
      const remove = this.#sending.add(sending);
    }
  }

  /** @param outcome undefined: it was stopped, and is due as before. */
  #keep(endpoint: EndpointState, due: Due, outcome: Outcome | undefined): void {
    if (!outcome) {
      this.#scheduler.letGo(endpoint, due);
      return;
    }
    this.#ended.push({ endpoint, outcome });
    endpoint.backsUp = false;
    endpoint.answersLate = outcome.answer.durationMs > LATE_AFTER;
    if (!isGoneOrSlow(outcome)) return;
    this.#scheduler.drop(endpoint);
    endpoint.slow = true;
    endpoint.changedAt = stopwatch();
  }

  #lookAtEnds(): void {
    if (this.#ended.length >= NOTE_TOGETHER) this.#look();
    else this.#lookIn(this.#scheduler.waiting === 0 ? GATHER : NOTE_AFTER);
  }

  /** Undefined: it was stopped. */
  async #send(due: Due): Promise<Outcome | undefined> {
    const { clock, egress, signers } = this.#deps;
    const startedAt = clock.now();
    const body = bodyOf(due, due.to);
    const attempt = { id: due.event_id, at: startedAt };
    const signature = signatureOf({ ...attempt, body }, await signers.of(due.to, startedAt));
    const headers = headersOf({ ...attempt, signature });
    const answer = await egress.post(due.to.url, headers, body, this.#stop.signal);
    if (this.#stop.signal.aborted && answer.error !== null) return undefined;
    return { due, answer, startedAt, endedAt: clock.now(), signature };
  }

  /** Notes what has ended since the last time, together. */
  async #note(): Promise<void> {
    const ended = this.#ended.splice(0);
    if (ended.length === 0) return;
    const { db, random, figures, onFailures } = this.#deps;
    const outcomes = ended.map(({ outcome }) => outcome);
    try {
      await writeOutcomes(db, outcomes, random);
    } catch (error) {
      this.#ended.unshift(...ended);
      throw error;
    }
    for (const { endpoint, outcome } of ended) this.#scheduler.letGo(endpoint, outcome.due);
    figures.ended(outcomes.map(({ answer }) => answer.error === null));
    await writeHealth(db, healthOf(outcomes));
    if (outcomes.every(({ answer }) => answer.error === null)) return;
    // some are due again later, without a notice
    this.#lookBy(BUSY_PAUSE);
    await onFailures();
  }
}
