import { type Clock, MINUTE, SECOND, stopwatch } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { inLane } from '../../../platform/db/lane.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Steady } from '../../../platform/feature.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Random } from '../../../platform/random.ts';
import { bodyOf } from '../events/event-body.ts';
import { signedHeaders } from '../signing/sign.ts';
import type { Signers } from '../signing/signers.ts';
import { type Claimed, claim, giveBack, nextDue } from './claims.ts';
import { healthOf, type Outcome, turnsAway, writeHealth, writeOutcomes } from './outcomes.ts';
import { Turns } from './turns.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  egress: Egress;
  signers: Signers;
  figures: { ended(good: boolean): void };
  /** After attempts failed: warns, and switches off what has failed for too long. */
  onFailures: () => Promise<void>;
}

/** At most so many requests of this process at once, and of them to slow endpoints. */
const SLOTS = 50;
const SLOW_SLOTS = 25;
const PER_ENDPOINT = 5;
/** At most so many claimed, in all and of one endpoint, so that a request that ends never waits for the database. */
const CLAIMED = 300;
const AHEAD = 20;
/** Fewer that wait for a request are too few. */
const LOW = 100;
/** Longer than any request takes, and what waits before it. */
const LEASE = MINUTE;
/** What waits for a request for longer than this goes back. */
const LONGEST_WAIT = 5 * SECOND;
const LONGEST_PAUSE = 30 * SECOND;
const SHORTEST_PAUSE = 50;
const AFTER_TROUBLE = 2 * SECOND;
/** What becomes due in the same moment is claimed together. */
const GATHER = 5;
/** What ends within this time is noted together, while there is more to send, or as soon as there are so many. */
const NOTE_AFTER = 25;
const NOTE_TOGETHER = 100;
/** What is still under way then goes back when the process stops. */
const PATIENCE = 3 * SECOND;

/**
 * Sends what is due, in each worker process. The table is the truth: a notice only wakes it sooner, and whatever a killed
 * process had claimed is due again when its lease ends. One loop claims and notes; requests begin as others end.
 */
export class Deliverer implements Steady {
  readonly #deps: Dependencies;
  readonly #turns = new Turns({ slots: SLOTS, perEndpoint: PER_ENDPOINT });
  readonly #sending = new Set<Promise<void>>();
  readonly #outcomes: Outcome[] = [];
  readonly #back: Claimed[] = [];
  #running = false;
  #woken = false;
  #loop: Promise<void> = Promise.resolve();
  /** When it looks by itself, and what wakes it then. */
  #soon: { at: number; timer: NodeJS.Timeout } | undefined;
  #rouse: () => void = () => undefined;
  #stop = new AbortController();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Something may be due. */
  wake(): void {
    this.#lookIn(GATHER);
  }

  /** Endpoints may have changed: what was claimed and is not being sent yet is to be read anew. */
  recall(): void {
    this.#withdraw(() => true);
    this.#lookIn(GATHER);
  }

  resume(): void {
    if (this.#running) return;
    this.#running = true;
    this.#stop = new AbortController();
    this.#loop = inLane('jobs', () => this.#run());
  }

  async pause(): Promise<void> {
    if (!this.#running) return;
    this.#running = false;
    this.#look();
    await this.#loop;
    this.#withdraw(() => true);
    await this.#giveBack().catch((error) =>
      this.#deps.log.warn({ err: error }, 'claims of webhooks stay until they end'),
    );
    const patience = setTimeout(() => this.#stop.abort(), PATIENCE);
    await Promise.all(this.#sending);
    clearTimeout(patience);
    const ending = this.#giveBack().then(() => this.#note());
    await ending.catch((error) => this.#deps.log.warn({ err: error }, 'attempts of webhooks could not be noted'));
  }

  async #run(): Promise<void> {
    while (this.#running) {
      this.#woken = false;
      try {
        await this.#note();
        this.#withdraw((claimed) => this.#hasWaited(claimed));
        await this.#giveBack();
        await this.#sleep(await this.#claim());
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'webhooks could not be sent, and will be soon');
        await this.#sleep(AFTER_TROUBLE, true);
      }
    }
  }

  /** Until it is time to look again. @param soundly only the end of the process wakes it. */
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

  async #pauseFor(): Promise<number> {
    const next = await nextDue(this.#deps.db);
    if (next === null) return LONGEST_PAUSE;
    const wait = next.getTime() - this.#deps.clock.now().getTime();
    // what is due, and was not claimed, belongs to an endpoint whose requests are all taken
    return Math.min(LONGEST_PAUSE, Math.max(wait, wait > 0 ? SHORTEST_PAUSE : SECOND));
  }

  /** @returns after how many milliseconds to look again, unless something ends or wakes it before. */
  async #claim(): Promise<number> {
    const held = [...this.#turns.held.values()].reduce((sum, n) => sum + n, 0);
    if (!this.#running || this.#turns.waiting >= LOW || held >= CLAIMED) return LONGEST_PAUSE;
    const { db, clock, random } = this.#deps;
    const now = clock.now();
    const claimed = await claim(
      db,
      {
        most: CLAIMED - held,
        slow: SLOW_SLOTS - this.#turns.slow,
        perEndpoint: PER_ENDPOINT,
        ahead: AHEAD,
        held: this.#turns.held,
      },
      { now, lease: random.id(), until: new Date(now.getTime() + LEASE) },
    );
    for (const each of claimed) this.#turns.add(each);
    this.#begin();
    // there may be more
    return claimed.length > 0 ? NOTE_AFTER : this.#pauseFor();
  }

  #hasWaited({ until }: Claimed): boolean {
    return until.getTime() - this.#deps.clock.now().getTime() < LEASE - LONGEST_WAIT;
  }

  #withdraw(which: (claimed: Claimed) => boolean): void {
    this.#back.push(...this.#turns.withdraw(which));
  }

  /** Begins as many requests as there may be. */
  #begin(): void {
    while (this.#running) {
      const claimed = this.#turns.next();
      if (!claimed) return;
      if (this.#hasWaited(claimed)) {
        this.#turns.ended(claimed);
        this.#back.push(claimed);
        continue;
      }
      const sending = this.#send(claimed)
        .then((outcome) => this.#keep(claimed, outcome))
        .catch((error) => {
          this.#turns.letGo(claimed);
          this.#deps.log.error({ err: error, delivery: claimed.id }, 'a webhook could not be sent');
        })
        .finally(() => {
          this.#sending.delete(sending);
          this.#turns.ended(claimed);
          this.#begin();
          this.#lookAtEnds();
        });
      this.#sending.add(sending);
    }
  }

  #keep(claimed: Claimed, outcome: Outcome | undefined): void {
    if (!outcome) {
      this.#back.push(claimed);
      return;
    }
    this.#outcomes.push(outcome);
    if (turnsAway(outcome)) this.#withdraw(({ endpoint_id }) => endpoint_id === claimed.endpoint_id);
  }

  #lookAtEnds(): void {
    if (this.#outcomes.length >= NOTE_TOGETHER) this.#look();
    else this.#lookIn(this.#turns.waiting === 0 ? GATHER : NOTE_AFTER);
  }

  /** Undefined: it was stopped, and goes back. */
  async #send(claimed: Claimed): Promise<Outcome | undefined> {
    const { clock, egress, signers, figures } = this.#deps;
    const startedAt = clock.now();
    const body = bodyOf(claimed, claimed.include_personal);
    const signature = await signers.of(claimed, startedAt);
    const requestHeaders = {
      'content-type': 'application/json',
      'user-agent': 'Tonerow-Webhooks/1',
      ...signedHeaders({ id: claimed.event_id, at: startedAt, body }, signature),
    };
    const answer = await egress.post(claimed.url, requestHeaders, body, this.#stop.signal);
    if (this.#stop.signal.aborted && answer.error !== null) return undefined;
    figures.ended(answer.error === null);
    return { claimed, answer, startedAt, endedAt: clock.now(), requestHeaders };
  }

  /** Notes what has ended since the last time, together. */
  async #note(): Promise<void> {
    const outcomes = this.#outcomes.splice(0);
    if (outcomes.length === 0) return;
    const { db, random, onFailures } = this.#deps;
    try {
      await writeOutcomes(db, outcomes, random);
    } catch (error) {
      this.#outcomes.unshift(...outcomes);
      throw error;
    }
    for (const { claimed } of outcomes) this.#turns.letGo(claimed);
    await writeHealth(db, healthOf(outcomes));
    if (outcomes.some(({ answer }) => answer.error !== null)) await onFailures();
  }

  async #giveBack(): Promise<void> {
    const claims = this.#back.splice(0);
    try {
      await giveBack(this.#deps.db, claims);
    } catch (error) {
      this.#back.unshift(...claims);
      throw error;
    }
    for (const claimed of claims) this.#turns.letGo(claimed);
  }
}
