import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AnswerOf,
  ConnectionError,
  RateLimitError,
  ServerError,
  TonerowError,
  type WebhookEvent,
  watchEvents,
} from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { defineCommand } from '#define/define-command.ts';
import { flag, number, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { write } from '#io.ts';
import type { Context } from '#run/context.ts';
import { eventsOf } from './options.ts';
import { type Forwarded, forward } from './receiving/forward.ts';
import { type Events, Listener } from './receiving/listener.ts';
import { secretFile, webhookSecretIfGiven } from './receiving/secret.ts';

/** Milliseconds between looks for events whose notice was lost, or that a running transaction held back. */
const LOOK_EVERY_MS = 2000;

export const webhooksListen = defineCommand({
  path: 'webhooks listen',
  summary: 'Send events, signed, to a server on this machine as they happen: no tunnel needed',
  operations: [
    'createWebhookListener',
    'renewWebhookListener',
    'deleteWebhookListener',
    'listWebhookEvents',
    'streamEvents',
    'listWebhookEventTypes',
  ],
  fields: ['event', 'status', 'error', 'ms'],
  options: {
    forwardTo: text('<url>', 'where to send them, such as http://localhost:3000/hooks; without it they are only shown'),
    events: text('<names>', 'types, families such as serial.*, or *; separated by commas', { fallback: '*' }),
    secretFile: secretFile('sign with this secret (whsec_…) instead of a new one'),
    personal: flag('with names and email addresses of customers'),
    count: number('<n>', 'stop after this many events'),
  },
  examples: [
    'tonerow webhooks listen --forward-to http://localhost:3000/hooks',
    "tonerow webhooks listen --events 'serial.*' --json",
  ],
  async run({ context, options }) {
    const url = options.forwardTo;
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw new UsageError('--forward-to takes a URL with http or https.');
    const own = await webhookSecretIfGiven(context, options);
    const secret = own === undefined ? randomBytes(32) : secretOf(own);
    const events = eventsOf<Events[number]>(options.events);
    const most = options.count ?? Number.POSITIVE_INFINITY;
    if (most < 1) throw new UsageError('--count takes a number above 0.');
    const api = await context.api();
    const byName = await namedOnly(context, api);
    const listener = new Listener(context, api, events);
    const after = await listener.start();
    context.note('Listening. Press Ctrl-C to stop.');
    // nobody can verify anything without it
    if (url !== undefined && own === undefined)
      context.warn('signed_with', `Signed with whsec_${secret.toString('base64')}`);
    const stop = new AbortController();
    try {
      let seen = 0;
      for await (const event of eventsAfter(
        context,
        api,
        { listener, after, personal: options.personal },
        stop.signal,
      )) {
        if (!asksFor(events, event.type, byName)) continue;
        const result = url === undefined ? null : await forward(event, url, secret, context.io.signal);
        await write(context.io.stdout, await lineOf(context, event, result));
        seen += 1;
        if (seen >= most) return;
      }
    } finally {
      stop.abort();
      await listener.stop();
    }
  },
});

function secretOf(text: string): Buffer {
  // a public key verifies, and signs nothing
  const secret = Buffer.from(text.startsWith('whpk_') ? '' : text.replace(/^whsec_/, ''), 'base64');
  // receivers refuse a shorter secret
  if (secret.length < 24) throw new UsageError('A secret to sign with is whsec_… with 24 bytes or more in base64.');
  return secret;
}

interface Listening {
  listener: Listener;
  after: string | null;
  personal: boolean;
}

/** The feed from here on: read at each live notice, and every now and then, also after the server was away for a while. */
async function* eventsAfter(
  context: Context,
  api: OperationClient,
  { listener, after: from, personal }: Listening,
  stop: AbortSignal,
): AsyncGenerator<WebhookEvent, void> {
  const signal = AbortSignal.any([context.io.signal, stop]);
  const notices = new Notices(api, signal);
  let after = from ?? undefined;
  let away = false;
  while (!signal.aborted) {
    let page: AnswerOf<'listWebhookEvents'>;
    try {
      await listener.keep();
      page = await api.listWebhookEvents({ query: { after, include_personal: personal } }, { signal });
    } catch (error) {
      if (signal.aborted) throw error;
      if (after !== undefined && isExpired(error)) {
        // all that is left came after it
        after = undefined;
        continue;
      }
      if (!passes(error)) throw error;
      // events are recorded meanwhile, for an hour
      if (!away) context.note('The server cannot be reached. Trying again …');
      away = true;
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      continue;
    }
    if (away) context.note('Listening again.');
    away = false;
    yield* page.events;
    after = page.next_after ?? after;
    if (page.has_more) continue;
    await notices.next(LOOK_EVERY_MS);
  }
}

/** Whether it may be over soon: no connection, or a server that starts or has a fault. */
const passes = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;

/** Whether the event that was read last is none any more, as after 30 days without another. */
const isExpired = (error: unknown): boolean =>
  error instanceof TonerowError && error.status === 400 && error.errors?.[0]?.path === 'after';

/** Ends the wait when the live stream reports an event. Without access to the stream, listening is only slower. */
class Notices {
  #hasEvent = false;
  #rouse: () => void = () => undefined;
  readonly #signal: AbortSignal;
  #failed: unknown;

  constructor(api: OperationClient, signal: AbortSignal) {
    this.#signal = signal;
    this.#listen(api).catch((error) => {
      const forbidden = error instanceof TonerowError && error.status === 403;
      if (!signal.aborted && !forbidden) this.#failed = error;
    });
  }

  async #listen(api: OperationClient): Promise<void> {
    for await (const { type } of watchEvents(api, { signal: this.#signal })) {
      if (type !== 'webhook' && type !== 'resync') continue;
      this.#hasEvent = true;
      this.#rouse();
    }
  }

  async next(ms: number): Promise<void> {
    if (this.#failed) throw this.#failed;
    if (!this.#hasEvent) {
      const done = new AbortController();
      const timer = pause(ms, undefined, { signal: AbortSignal.any([this.#signal, done.signal]) }).catch(
        () => undefined,
      );
      await Promise.race([
        timer,
        new Promise<void>((resolve) => {
          this.#rouse = resolve;
        }),
      ]);
      done.abort();
    }
    this.#hasEvent = false;
  }
}

/** Types that no wildcard covers. A webhook that names them has them recorded nevertheless. */
async function namedOnly(context: Context, api: OperationClient): Promise<ReadonlySet<string>> {
  const { types } = await api.listWebhookEventTypes({}, context.call);
  return new Set(types.filter(({ by_name_only }) => by_name_only).map(({ type }) => type));
}

function asksFor(patterns: readonly string[], type: string, byName: ReadonlySet<string>): boolean {
  const covering = byName.has(type) ? [type] : ['*', `${type.split('.')[0]}.*`, type];
  return covering.some((pattern) => patterns.includes(pattern));
}

async function lineOf(context: Context, event: WebhookEvent, result: Forwarded | null): Promise<string> {
  if (context.globals.json) return context.lineOf({ event, ...result });
  const time = event.timestamp.slice(11, 19);
  const what = `${time}  ${event.type.padEnd(22)}${event.test ? 'test  ' : ''}${event.id}`;
  if (!result) return `${what}\n`;
  return `${what}  ${result.status ?? result.error}  ${result.ms} ms\n`;
}
