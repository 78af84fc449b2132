import type { LiveEvent } from '@tonerow/sdk';

export type Listener = (event: LiveEvent) => void;

/** Opens a stream. @param fetchedAt since when nothing was heard, by `performance.now()`. */
type Watch = (options: { signal: AbortSignal; fetchedAt: number }) => AsyncIterable<LiveEvent>;

/** One stream for the whole page, as long as somebody listens. */
export class LiveStream {
  readonly #watch: Watch;
  readonly #listeners = new Set<Listener>();
  #running: AbortController | null = null;
  /** Whatever is shown was fetched after the page was opened. */
  #disconnectedSince = 0;
  /** Whether the stream that runs has sent something. */
  #hasReceived = false;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /**
   * @param wantsAll it keeps what is shown up to date: where others opened the stream and something came before it,
   * it begins with a `resync`.
   * @returns how to stop.
   */
  subscribe(listener: Listener, { wantsAll = false } = {}): () => void {
    if (wantsAll && this.#running && this.#hasReceived) listener({ type: 'resync', data: {} });
    this.#listeners.add(listener);
    this.#running ??= this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#running?.abort();
      this.#running = null;
      this.#disconnectedSince = performance.now();
    };
  }

  #start(): AbortController {
    const controller = new AbortController();
    this.#hasReceived = false;
    const run = async () => {
      for await (const event of this.#watch({ signal: controller.signal, fetchedAt: this.#disconnectedSince })) {
        this.#hasReceived = true;
        for (const listener of this.#listeners) listener(event);
      }
    };
    run().catch(() => {
      // the credential was refused: the next ordinary call shows the error
      if (this.#running === controller) this.#running = null;
    });
    return controller;
  }
}
