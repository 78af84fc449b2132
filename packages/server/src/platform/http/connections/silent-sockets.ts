import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches for sockets that have sent nothing yet, such as those that browsers open beforehand. To Node they are busy, so that the end
 * of a server would wait for them.
 * @returns closes those that there are.
 */
export function silentSockets(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
