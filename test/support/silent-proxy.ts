import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** PostgreSQL's word that it takes the next statement. */
const READY = Buffer.from('Z\0\0\0\x05', 'latin1');

/** A proxy before PostgreSQL that can fall silent: it takes connections and whatever is sent, and nothing comes back, as from a stopped server. */
export async function startSilentProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let silent = false;
  let unready = false;
  let onHangUp = () => {};
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    client.once('close', () => onHangUp());
    const database = connect(Number(target.port || 5432), target.hostname);
    let stuck = false;
    /** What comes through: of an error that the server does not get over, all but the word that it is ready again. */
    const passed = (chunk: Buffer): Buffer => {
      if (!unready || !chunk.includes('ERROR')) return chunk;
      stuck = true;
      const ready = chunk.lastIndexOf(READY);
      return ready === -1 ? chunk : chunk.subarray(0, ready);
    };
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => silent || stuck || to.write(from === database ? passed(chunk) : chunk));
      from.on('error', () => undefined);
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    /** Everything that is sent meanwhile is lost for good. */
    fallSilent(): void {
      silent = true;
    },
    /** Connections that lost something stay as they are. */
    speak(): void {
      silent = false;
    },
    /** Each connection ends in silence with the next error that it reports, as a coordinator's whose worker hangs. */
    fallSilentAfterErrors(yes: boolean): void {
      unready = yes;
    },
    /** Waits until somebody gives a connection up. */
    hangUp: () => new Promise<void>((resolve) => (onHangUp = resolve)),
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
