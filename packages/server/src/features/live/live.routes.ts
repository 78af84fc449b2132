import { finished, PassThrough } from 'node:stream';
import type { Authenticate } from '../../platform/access/access.ts';
import { bearerOf, callerOf } from '../../platform/access/guard.ts';
import type { AnyEvents } from '../../platform/events.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { privateAnswers } from '../../platform/http/schemas.ts';
import { LiveEvent } from './live.schemas.ts';

/** Proxies cut connections that are silent for a minute; a revoked credential is noticed at the same interval. */
const HEARTBEAT_MS = 20_000;
const MAX_BEHIND = 1024 * 1024;

/** Server-sent events: redemptions, imports, low stock, draws and invitations of the caller's account, as they happen. */
export function liveRoutes(events: AnyEvents, authenticate: Authenticate) {
  return async (app: App): Promise<void> => {
    const open = new Set<PassThrough>();
    app.addHook('preClose', (done) => {
      for (const stream of open) stream.end();
      done();
    });

    app.get(
      '/api/events',
      {
        config: { access: { as: 'user', scope: 'serials:read' }, stream: 'live' },
        schema: {
          operationId: 'streamEvents',
          tags: ['live'],
          summary: 'Stream live events (server-sent events)',
          description:
            'Events: `redemption`, `refund`, `sale`, `import`, `low_serials`, `license_refused`, `invites`, `deals`, `partnerships`, `stock`, `payout`, `billing`, `webhook`, `webhook_failing`, and `resync` when some may have been missed. Nothing is replayed, so fetch the lists after connecting.',
          response: privateAnswers({
            200: { description: 'A stream of events', content: { 'text/event-stream': { schema: LiveEvent } } },
          }),
        },
      },
      async (request, reply) => {
        const bearer = bearerOf(request) as string;
        const stream = new PassThrough();
        const stop = events.subscribe(callerOf(request).userId, ({ type, data }) => {
          // a listener that has stopped reading is disconnected, and catches up from the lists when it returns
          if (stream.writableLength > MAX_BEHIND) stream.destroy();
          else stream.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
        });
        const beat = setInterval(() => {
          stream.write(': still here\n\n');
          authenticate(bearer).then(
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
