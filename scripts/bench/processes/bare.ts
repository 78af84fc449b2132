/**
 * The baselines of the licensing API: a bare Fastify route with one prepared SELECT on the same table, and one that
 * INSERTs after it in a transaction.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

interface Question {
  license_key: string;
  developer_id: string;
  machine_id: string;
}

const [url, port] = process.argv.slice(2) as [string, string];
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = Fastify();

const find = (db: pg.Pool | pg.ClientBase, { license_key, developer_id }: Question) =>
  db.query({
    name: 'find',
    text: 'select id, code, redeemed_at, revoked_at from serials where code_key = $1 and developer_id = $2',
    values: [license_key, developer_id],
  });

app.post<{ Body: Question }>('/find', async (request) => {
  const { rows } = await find(pool, request.body);
  return rows[0] ?? null;
});

app.post<{ Body: Question }>('/add', async (request) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await find(client, request.body);
    await client.query({
      name: 'add',
      text: `insert into bare_machines (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
        values ($1, $2, $3, $4, now(), now())`,
      values: [randomUUID(), request.body.developer_id, rows[0].id, request.body.machine_id],
    });
    await client.query('commit');
    return rows[0];
  } finally {
    client.release();
  }
});

// a table like ours, with its indexes and its foreign key
await pool.query('create table if not exists bare_machines (like activations including all)');
await pool.query(
  'alter table bare_machines add foreign key (serial_id, developer_id) references serials (id, developer_id)',
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
