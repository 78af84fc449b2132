import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@tonerow/test-support/process.ts';

const USUAL = 4000;

/**
 * The port of a demo's own server: `PORT`, else the usual port of a server, or any free port if that one is in use.
 * @throws when `PORT` is in use, because somebody who names a port wants that one.
 */
export async function ownPort(): Promise<number> {
  const { PORT } = process.env;
  if (!(await isUsed(Number(PORT ?? USUAL)))) return Number(PORT ?? USUAL);
  if (PORT) throw new Error(`Port ${PORT} is in use. Name another one: PORT=4100 npm run demo -- …`);
  return freePort();
}

async function isUsed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
