import { PassThrough } from 'node:stream';
import { callerOf } from '#platform/access/guard.ts';
import { kindsIn, reportWithheld } from '#platform/access/withhold.ts';
import type { AnyEvents } from '#platform/events.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers } from '#platform/http/schemas.ts';
import { LiveEvent, StreamQuery } from './live.schemas.ts';
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
            'Events: `redemption`, `refund`, `sale`, `import`, `low_serials`, `license_refused`, `invites`, `deals`, `partnerships`, `stock`, `payout`, `billing`, `webhook`, `webhook_failing`, and `resync` when some may have been missed. Nothing is replayed: fetch the lists after connecting, or send `behind` and fetch them again after a `resync`. An access token is sent what its scopes read elsewhere: `redemption` with `serials:read`, and the customer in it with `customers:read`.',
          querystring: StreamQuery,
          response: privateAnswers({
            200: { description: 'A stream of events', content: { 'text/event-stream': { schema: LiveEvent } } },
          }),
        },
      },
      async (request, reply) => {
        const stream = new PassThrough();
        const caller = callerOf(request);
        reportWithheld(reply, caller, ...kindsIn(LiveEvent));
        const send = (event: LiveEvent) => {
          const shown = shownLive(caller, event);
          if (!shown) return;
          // a listener that has stopped reading is disconnected, and catches up from the lists when it returns
          if (stream.writableLength > MAX_BEHIND) stream.destroy();
          else stream.write(`event: ${shown.type}\ndata: ${JSON.stringify(shown.data)}\n\n`);
        };
        const stop = events.subscribe(caller.accountId, (event) => send(event as LiveEvent));
        const beat = setInterval(() => {
          stream.write(': still here\n\n');
          request.authenticate().then(
            (caller) => caller ?? stream.end(),
            () => undefined,
          );
        }, HEARTBEAT_MS);
        open.add(stream);
        // the answer destroys it when its listener has gone, also while the credential was being looked up
        stream.once('close', () => {
          clearInterval(beat);
          stop();
          open.delete(stream);
        });
        stream.write('retry: 2000\n\n');
        const { behind } = request.query;
        if (behind !== undefined && events.mayHaveHad(caller.accountId, behind)) send({ type: 'resync', data: {} });
        return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream);
      },
    );
  };
}
