import { connect } from 'node:net';
import type pg from 'pg';

const CANCEL_REQUEST = 80_877_102;
const GRACE_MS = 5000;

/** The driver has this information about its server, but does not declare it. */
interface Inside {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
  connection: { stream: { destroy(): void } };
}

/**
 * Cancels the running statement of a connection when the signal aborts: otherwise PostgreSQL keeps sorting for a reader
 * that has left. If the server does not respond, the connection is closed.
 * @returns ends the watch.
 */
export function stopOnAbort(client: pg.PoolClient, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const { connection } = client as unknown as Inside;
  const onAbort = () => {
    cancel(client as unknown as Inside);
    timer = setTimeout(() => connection.stream.destroy(), GRACE_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return () => {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  };
}

/**
 * Cancels what a connection runs until it is ended: a single request between two statements would meet nothing.
 * @returns ends it.
 */
export function cancelOnAbort(client: pg.Client, signal: AbortSignal): () => void {
  let again: NodeJS.Timeout | undefined;
  const now = () => cancel(client as unknown as Inside);
  const onAbort = () => {
    now();
    again = setInterval(now, 300);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return () => {
    signal.removeEventListener('abort', onAbort);
    clearInterval(again);
  };
}

/** PostgreSQL takes a cancel request on a connection of its own, which poolers hand on. */
function cancel({ host, port, processID, secretKey }: Inside): void {
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(GRACE_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.end(message);
}
