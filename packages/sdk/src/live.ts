import { createParser } from 'eventsource-parser';
import type { Client } from './client.ts';
import { ConnectionError, TonerowError, UnexpectedAnswerError } from './errors.ts';
import type { LiveEvent } from './generated/types.gen.ts';
import { delayOf, systemTiming, type Timing } from './retry.ts';

interface WatchOptions {
  signal: AbortSignal;
  /** Called when the stream opens, and when it broke and is about to reconnect. Throwing ends the watch. */
  onState?: (state: 'open' | 'waiting', error?: unknown) => void;
  /**
   * When the caller began to fetch what it shows, by `performance.now()`. If something may have happened between then
   * and the opening of the stream, the first event is a `resync`.
   */
  fetchedAt?: number;
  /** Used by tests. */
  timing?: Timing;
}

/** The server remembers no longer when something happened on an account. */
const REMEMBERED_SECONDS = 300;

/**
 * Events of the account as they happen. Reconnects by itself; after each gap a `resync` event means that lists have
 * to be fetched again. Ends when the signal aborts.
 * @throws {TonerowError} when the credential is refused, or when something other than Tonerow responds.
 */
export async function* watchEvents(
  api: Client,
  { signal, onState, fetchedAt, timing = systemTiming }: WatchOptions,
): AsyncGenerator<LiveEvent, void> {
  for (let failures = 0; !signal.aborted; ) {
    let reason: unknown;
    try {
      const behind = fetchedAt === undefined ? 0 : Math.ceil((performance.now() - fetchedAt) / 1000);
      const isForgotten = failures > 0 || behind > REMEMBERED_SECONDS;
      const query = fetchedAt === undefined || isForgotten ? {} : { behind };
      const response = await api.stream.events.stream(query, { signal, accept: 'text/event-stream', retries: 0 });
      onState?.('open');
      if (isForgotten) yield { type: 'resync', data: {} };
      failures = 0;
      if (response.body) yield* eventsIn(response.body);
    } catch (error) {
      if (signal.aborted) return;
      // refusals and other servers' responses are permanent; everything else may be temporary
      if (error instanceof UnexpectedAnswerError) throw error;
      if (error instanceof TonerowError && error.status !== undefined && error.status < 500 && error.status !== 429)
        throw error;
      if (error instanceof TonerowError && error.final) throw error;
      reason = error;
    }
    if (signal.aborted) return;
    onState?.('waiting', reason);
    failures += 1;
    const ended = new ConnectionError('The stream ended.');
    await timing.sleep(delayOf(Math.min(failures, 5), ended, timing.random), signal).catch(() => undefined);
  }
}

/** Three of the server's heartbeats: a connection that is gone without a word ends then. */
const SILENCE_MS = 60_000;

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const events: LiveEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => {
      // a newer server may send types that this version does not know: callers ignore those they do not handle
      events.push({ type: event, data: JSON.parse(data) } as LiveEvent);
    },
  });
  try {
    for (;;) {
      const silence = setTimeout(() => void reader.cancel().catch(() => undefined), SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      parser.feed(value);
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
