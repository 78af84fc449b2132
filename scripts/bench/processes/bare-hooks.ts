/** The baseline of a shop's reports: a bare Fastify route that verifies a signature and inserts the bytes. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const [url, port, secret] = process.argv.slice(2) as [string, string, string];
const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post<{ Body: Buffer }>('/hook', async ({ headers, body }, reply) => {
  const [id, at, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  );
  const own = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest();
  const theirs = Buffer.from(String(signature).slice(3), 'base64');
  if (theirs.length !== own.length || !timingSafeEqual(theirs, own)) return reply.code(401).send();
  await pool.query({ name: 'keep', text: 'insert into bare_hooks (id, body) values ($1, $2)', values: [id, body] });
  return {};
});

await pool.query('create table if not exists bare_hooks (id text primary key, body bytea not null)');
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
