import { type InputOf, TonerowError } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import type { Context } from '#run/context.ts';
import { withNames } from '../event-names.ts';

export type Events = InputOf<'createWebhookListener'>['body']['events'];

/** A third of how long the server keeps it. */
const RENEW_EVERY_MS = 20 * 60_000;

/** Has events recorded for this terminal, for an hour at a time. */
export class Listener {
  readonly #context: Context;
  readonly #api: OperationClient;
  readonly #events: Events;
  #id = '';
  /** When the server last had it, by the wall clock: other clocks stop while a machine sleeps. */
  #seen = 0;

  constructor(context: Context, api: OperationClient, events: Events) {
    this.#context = context;
    this.#api = api;
    this.#events = events;
  }

  /** @returns the newest event until now. */
  async start(): Promise<string | null> {
    const asked = this.#now();
    const [context, api, events] = [this.#context, this.#api, this.#events];
    const create = () => api.createWebhookListener({ body: { events } }, context.call);
    const { id, after } = await withNames(context, api, events, create);
    this.#id = id;
    this.#seen = asked;
    return after;
  }

  /** Renews it when that is due. One that has ended, as while the machine slept, is replaced, with a note about what was missed. */
  async keep(): Promise<void> {
    const now = this.#now();
    // nobody knows how long it has been by a clock that was set back
    if (now >= this.#seen && now - this.#seen <= RENEW_EVERY_MS) return;
    try {
      await this.#api.renewWebhookListener({ path: { id: this.#id } }, this.#context.call);
      this.#seen = now;
    } catch (error) {
      if (!(error instanceof TonerowError) || error.status !== 404) throw error;
      const since = new Date(this.#seen).toISOString();
      await this.start();
      this.#context.warn(
        'listening_again',
        `Listening again: this terminal was away for too long. Events since ${since} may be missing, here and in "tonerow webhooks events", but for those that a webhook asks for.`,
      );
    }
  }

  /** Also after Ctrl-C, which has ended the signal of other calls. */
  async stop(): Promise<void> {
    await this.#api
      .deleteWebhookListener({ path: { id: this.#id } }, { signal: AbortSignal.timeout(3000) })
      .catch(() => undefined);
  }

  #now(): number {
    return (this.#context.io.now ?? Date.now)();
  }
}
