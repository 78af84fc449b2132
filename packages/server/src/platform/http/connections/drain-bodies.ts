import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { stopwatch } from '#platform/clock.ts';

/** How long, and up to how many bytes, the rest of a body is read after the answer. */
const LONGEST_MS = 30_000;
const MOST = 100 * 1024 * 1024;
const CHECK_MS = 250;

/**
 * Reads the rest of a body that was answered before all of it arrived. Most clients look at the answer only when they have
 * sent everything: closing the connection earlier is a broken pipe to them, and the answer is lost.
 */
export function drainBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.complete) return done(null, payload);
    const { shouldKeepAlive } = reply.raw;
    // or Node closes the connection with the answer
    reply.removeHeader('connection');
    reply.raw.shouldKeepAlive = true;
    reply.raw.once('finish', () => {
      readRest(raw, () => {
        if (!shouldKeepAlive) raw.socket.end();
      });
    });
    done(null, payload);
  });
}

function readRest(raw: IncomingMessage, then: () => void): void {
  const { socket } = raw;
  if (raw.complete || socket.destroyed) {
    then();
    return;
  }
  const before = socket.bytesRead;
  const until = stopwatch() + LONGEST_MS;
  const watch = setInterval(() => {
    if (socket.bytesRead - before > MOST || stopwatch() > until) socket.destroy();
  }, CHECK_MS);
  watch.unref();
  raw.once('close', () => {
    clearInterval(watch);
    then();
  });
  raw.unpipe();
  raw.resume();
}
