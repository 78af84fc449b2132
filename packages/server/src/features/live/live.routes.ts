import { finished, PassThrough } from 'node:stream';
import { callerOf } from '#platform/access/guard.ts';
import { kindsIn, tellWithheld } from '#platform/access/withhold.ts';
import type { AnyEvents } from '#platform/events.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { LiveEvent } from './live.schemas.ts';
import { shownLive, streamScopes } from './needs.ts';

/** Proxies cut connections that are silent for a minute; a revoked credential is noticed at the same interval. */
const HEARTBEAT_MS = 20_000;
const MAX_BEHIND = 1024 * 1024;

/** Server-sent events: redemptions, imports, low stock, draws and invitations of the caller's account, as they happen. */
export function liveRoutes(events: AnyEvents) {
  return async (app: App): Promise<void> => {
    const open = new Set<PassThrough>();
    app.addHook('preClose', (done) => {
      for (const stream of open) stream.end();
      done();
    });

    app.get(
      '/api/events',
      {
        config: { access: { as: 'user', scope: streamScopes }, stream: 'live' },
        schema: {
          operationId: 'streamEvents',
          tags: ['live'],
          summary: 'Stream live events (server-sent events)',
          description:
            'Events: `redemption`, `refund`, `sale`, `import`, `low_serials`, `license_refused`, `invites`, `deals`, `partnerships`, `stock`, `payout`, `billing`, `webhook`, `webhook_failing`, and `resync` when some may have been missed. Nothing is replayed, so fetch the lists after connecting. An access token is sent what its scopes read elsewhere: `redemption` with `serials:read`, and the customer in it with `customers:read`.',
          response: privateAnswers({
            200: { description: 'A stream of events', content: { 'text/event-stream': { schema: LiveEvent } } },
          }),
        },
      },
      async (request, reply) => {
        const stream = new PassThrough();
        const caller = callerOf(request);
        tellWithheld(reply, caller, ...kindsIn(LiveEvent));
        const stop = events.subscribe(caller.accountId, (event) => {
          const shown = shownLive(caller, event as LiveEvent);
          if (!shown) return;
          // a listener that has stopped reading is disconnected, and catches up from the lists when it returns
          if (stream.writableLength > MAX_BEHIND) stream.destroy();
          else stream.write(`event: ${shown.type}\ndata: ${JSON.stringify(shown.data)}\n\n`);
        });
        const beat = setInterval(() => {
          stream.write(': still here\n\n');
          request.authenticate().then(
            (caller) => caller ?? stream.end(),
            () => undefined,
          );
        }, HEARTBEAT_MS);
        open.add(stream);
        // also covers a listener that disconnected while its credential was being looked up
        finished(reply.raw, () => {
          clearInterval(beat);
          stop();
          open.delete(stream);
          stream.destroy();
        });
        stream.write('retry: 2000\n\n');
        return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream);
      },
    );
  };
}
