// SPDX-License-Identifier: ISC
// Takes webhooks: WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
if (secret.length < 24) throw new Error('WEBHOOK_SECRET is missing or too short: anybody could sign');
const seen = new Set(); // a table in your database

createServer(async (request, response) => {
  const parts = [];
  try {
    for await (const part of request) parts.push(part);
  } catch {
    return; // the connection broke off: whatever was sent comes again
  }
  const body = Buffer.concat(parts); // the bytes as they arrived
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = request.headers;
  const expected = Buffer.from(
    `v1,${createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest('base64')}`,
  );
  const given = signatures.split(' ').map((each) => Buffer.from(each));
  const right = given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  if (!right || !fresh) return response.writeHead(400).end();
  if (!seen.has(id)) console.log(JSON.parse(body)); // an event can arrive twice, with the same id
  seen.add(id);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8787), '127.0.0.1');
