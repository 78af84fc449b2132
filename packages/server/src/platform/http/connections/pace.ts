import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stopwatch } from '#platform/clock.ts';
import { Slots } from '#platform/limits/slots.ts';

/** A body has to bring this much in a second, on average over the limit. */
const LEAST_PER_SECOND = 1024;
const LOOKS = 12;

/** Node tracks these byte counts of a socket, but does not declare them in its types. */
interface Inside {
  _bytesDispatched?: number;
  _handle?: { writeQueueSize?: number } | null;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  begun: number;
  /** Since when the other side has been slow, and how many bytes had moved until then. */
  incoming: { since: number; bytes: number };
  outgoing: { since: number; bytes: number };
  /** Ends the watch over it. */
  remove(): void;
}

/**
 * Ends exchanges whose bodies do not progress: a request that trickles in, a response that is not read. Time that the
 * server itself spends storing or preparing data does not count.
 * @param limit milliseconds without adequate progress. A small body, such as JSON, has to be whole within it.
 */
export function keepPace(server: Server, limit: number): void {
  const exchanges = new Slots<Exchange>();
  const least = Math.ceil((limit / 1000) * LEAST_PER_SECOND);

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const now = stopwatch();
    const { socket } = request;
    const exchange: Exchange = {
      request,
      response,
      begun: now,
      incoming: { since: now, bytes: socket.bytesRead },
      outgoing: { since: now, bytes: sentOn(socket) },
      remove: () => undefined,
    };
    exchange.remove = exchanges.add(exchange);
    const ended = () => {
      if (response.closed && (request.complete || request.destroyed)) exchange.remove();
    };
    response.once('close', ended);
    request.once('close', ended).once('end', ended);
  });

  const look = () => {
    const now = stopwatch();
    for (const exchange of exchanges) {
      if (exchange.request.socket.destroyed) exchange.remove();
      else if (isSlowToSend(exchange, now) || isSlowToRead(exchange, now)) {
        exchange.remove();
        end(server, exchange);
      }
    }
  };
  const timer = setInterval(look, limit / LOOKS).unref();
  server.once('close', () => clearInterval(timer));

  function isSlowToSend({ request, incoming, begun }: Exchange, now: number): boolean {
    if (request.complete || request.destroyed) return false;
    if (request.readableLength > 0) return moved(incoming, now, request.socket.bytesRead);
    if (isSmall(request) && now - begun >= limit) return true;
    return isStuck(incoming, now, request.socket.bytesRead);
  }

  function isSlowToRead({ request, response, outgoing }: Exchange, now: number): boolean {
    if (!response.headersSent || response.closed) return false;
    const { socket } = request;
    if (response.writableLength === 0 && socket.writableLength === 0) return moved(outgoing, now, sentOn(socket));
    return isStuck(outgoing, now, sentOn(socket));
  }

  function isStuck(side: Exchange['incoming'], now: number, bytes: number): boolean {
    if (bytes - side.bytes >= least) return moved(side, now, bytes);
    return now - side.since >= limit;
  }
}

/** Restarts the measurement. */
function moved(side: Exchange['incoming'], now: number, bytes: number): false {
  side.since = now;
  side.bytes = bytes;
  return false;
}

/** Not a file: such a body is parsed as a whole, and held in memory until it is. */
function isSmall({ headers }: IncomingMessage): boolean {
  return !/^(multipart\/|application\/octet-stream)/i.test(headers['content-type'] ?? '');
}

/** Bytes that the system has taken. What waits in a large write is not among them. */
export function sentOn(socket: Socket): number {
  const { _bytesDispatched: dispatched, _handle: handle } = socket as unknown as Inside;
  if (dispatched === undefined) return socket.bytesWritten - socket.writableLength;
  return dispatched - (handle?.writeQueueSize ?? 0);
}

function end(server: Server, { request, response }: Exchange): void {
  const { socket } = request;
  if (response.headersSent || socket.destroyed) return void socket.destroy();
  // the same response as for a request whose headers took too long
  server.emit(
    'clientError',
    Object.assign(new Error('the body is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    socket,
  );
}
