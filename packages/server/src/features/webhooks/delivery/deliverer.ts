import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, MINUTE, SECOND } from '../../../platform/clock.ts';
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
import { healthOf, type Outcome, wentWell, writeHealth, writeOutcomes } from './outcomes.ts';

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
/** Longer than any request takes. */
const LEASE = MINUTE;
const LONGEST_PAUSE = 30 * SECOND;
const SHORTEST_PAUSE = 50;
const AFTER_TROUBLE = 2 * SECOND;
const GATHER = 5;
/** What is still under way then goes back when the process stops. */
const PATIENCE = 3 * SECOND;

/**
 * Sends what is due, in each worker process. The table is the truth: a notice only wakes it sooner, and whatever a killed
 * process had claimed is due again when its lease ends.
 */
export class Deliverer implements Steady {
  readonly #deps: Dependencies;
  readonly #sending = new Map<Claimed, Promise<void>>();
  readonly #outcomes: Outcome[] = [];
  #running = false;
  #woken = false;
  #loop: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #rouse: () => void = () => undefined;
  #stop = new AbortController();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Something may be due. */
  wake(): void {
    this.#woken = true;
    this.#rouse();
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
    this.#rouse();
    await this.#loop;
    const patience = setTimeout(() => this.#stop.abort(), PATIENCE);
    await Promise.all(this.#sending.values());
    clearTimeout(patience);
    await this.#write(this.#outcomes.splice(0)).catch((error) =>
      this.#deps.log.warn({ err: error }, 'attempts of webhooks could not be noted'),
    );
  }

  async #run(): Promise<void> {
    while (this.#running) {
      this.#woken = false;
      try {
        const outcomes = this.#outcomes.splice(0);
        // at once: what has ended leaves room for the next already while it is noted
        const [sent] = await this.#together(this.#claim(outcomes), this.#write(outcomes));
        if (sent === 0 && this.#outcomes.length === 0) await this.#sleep(await this.#pauseFor());
        else await this.#sleep(this.#hasRoom() ? 0 : LONGEST_PAUSE);
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'webhooks could not be sent, and will be soon');
        await this.#sleep(AFTER_TROUBLE);
      }
    }
  }

  /** Waits for both, so that one which fails leaves nothing running behind. @throws what the first of them threw. */
  async #together<A, B>(...both: [Promise<A>, Promise<B>]): Promise<[A, B]> {
    await Promise.allSettled(both);
    return Promise.all(both);
  }

  #hasRoom(): boolean {
    return this.#sending.size < SLOTS;
  }

  /** Until something is due, something ends, or somebody wakes it. */
  async #sleep(ms: number): Promise<void> {
    if (!this.#running || this.#woken || this.#outcomes.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#rouse = resolve;
      this.#timer = setTimeout(resolve, ms);
    });
    clearTimeout(this.#timer);
    this.#rouse = () => undefined;
    // what ends or becomes due in the same moment is worked off together
    if (this.#running) await pause(GATHER);
  }

  async #pauseFor(): Promise<number> {
    const next = await nextDue(this.#deps.db);
    if (next === null) return LONGEST_PAUSE;
    const wait = next.getTime() - this.#deps.clock.now().getTime();
    // what is due, and was not claimed, belongs to an endpoint whose requests are all taken
    return Math.min(LONGEST_PAUSE, Math.max(wait, wait > 0 ? SHORTEST_PAUSE : SECOND));
  }

  async #claim(outcomes: readonly Outcome[]): Promise<number> {
    const slots = SLOTS - this.#sending.size;
    if (slots <= 0) return 0;
    const { db, clock, random } = this.#deps;
    const slow = [...this.#sending.keys()].filter((each) => each.slow).length;
    const now = clock.now();
    const claimed = await claim(
      db,
      {
        slots,
        slowSlots: SLOW_SLOTS - slow,
        perEndpoint: PER_ENDPOINT,
        // what failed may have made its endpoint slow, which counts once it is noted
        ended: outcomes.filter(wentWell).map((each) => each.claimed.id),
      },
      { now, lease: random.id(), until: new Date(now.getTime() + LEASE) },
    );
    for (const each of claimed) this.#begin(each);
    return claimed.length;
  }

  #begin(claimed: Claimed): void {
    const sending = this.#send(claimed)
      .then((outcome) => {
        if (outcome) this.#outcomes.push(outcome);
      })
      .catch((error) => this.#deps.log.error({ err: error, delivery: claimed.id }, 'a webhook could not be sent'))
      .finally(() => {
        this.#sending.delete(claimed);
        this.#rouse();
      });
    this.#sending.set(claimed, sending);
  }

  /** Undefined: it was stopped, and goes back. */
  async #send(claimed: Claimed): Promise<Outcome | undefined> {
    const { clock, egress, signers, db, figures } = this.#deps;
    const startedAt = clock.now();
    const body = bodyOf(claimed, claimed.include_personal);
    const signature = await signers.of(claimed, startedAt);
    const requestHeaders = {
      'content-type': 'application/json',
      'user-agent': 'Tonerow-Webhooks/1',
      ...signedHeaders({ id: claimed.event_id, at: startedAt, body }, signature),
    };
    const answer = await egress.post(claimed.url, requestHeaders, body, this.#stop.signal);
    if (this.#stop.signal.aborted && answer.error !== null) {
      await giveBack(db, claimed, clock.now());
      return undefined;
    }
    figures.ended(answer.error === null);
    return { claimed, answer, startedAt, endedAt: clock.now(), requestHeaders };
  }

  /** Notes what has ended since the last time, together. */
  async #write(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const { db, random, onFailures } = this.#deps;
    try {
      await writeOutcomes(db, outcomes, random);
    } catch (error) {
      this.#outcomes.unshift(...outcomes);
      throw error;
    }
    await writeHealth(db, healthOf(outcomes));
    if (outcomes.some(({ answer }) => answer.error !== null)) await onFailures();
  }
}
