/**
 * Receivers of webhooks in a process of their own: `/quick` answers at once and notes how old an event is on its arrival,
 * `/slow` takes six seconds, `/dead` never answers.
 */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const SLOW_MS = 6000;
let ages: number[] = [];
let last = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    if (request.url?.startsWith('/dead')) return;
    if (request.url?.startsWith('/slow')) await pause(SLOW_MS);
    else {
      last = Date.now();
      const [, timestamp = ''] = /"timestamp":"([^"]+)"/.exec(Buffer.concat(chunks).toString()) ?? [];
      ages.push(last - Date.parse(timestamp));
    }
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('message', (message) => {
  if (message === 'reset') ages = [];
  process.send?.({ ages, last });
});
process.on('disconnect', () => process.exit(0));
