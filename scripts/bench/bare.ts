/** The baseline of `validate`: a bare Fastify route with one prepared SELECT on the same table. */
import Fastify from 'fastify';
import pg from 'pg';

const [url, port] = process.argv.slice(2) as [string, string];
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = Fastify();
app.post<{ Body: { license_key: string; developer_id: string } }>('/bare', async (request) => {
  const { rows } = await pool.query({
    name: 'bare',
    text: 'select id, code, redeemed_at, revoked_at from serials where code_key = $1 and developer_id = $2',
    values: [request.body.license_key, request.body.developer_id],
  });
  return rows[0] ?? null;
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
