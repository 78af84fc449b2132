import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from, to } from 'pg-copy-streams';
import type { Bench } from '../bench.ts';
import { round, watchMemory } from '../support.ts';

/** A batch as CSV against a raw COPY of the same rows into the same table. */
export async function generation(bench: Bench, productId: string): Promise<void> {
  const { server, db, token, folder, quantity, say } = bench;
  const ours: number[] = [];
  const raw: number[] = [];
  let growth = 0;
  for (let turn = 1; turn <= 2; turn += 1) {
    say(`generating ${quantity} serials, turn ${turn} of 2`);
    const memory = await watchMemory(server);
    const started = performance.now();
    const response = await fetch(`${server.url}/api/serials/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({ product_id: productId, quantity }),
    });
    for await (const _chunk of response.body as AsyncIterable<Uint8Array>);
    ours.push((performance.now() - started) / 1000);
    growth = Math.max(growth, memory.stop());
    const batch = response.headers.get('x-batch-id');

    say('the same rows by a raw COPY');
    const file = path.join(folder, 'rows.copy');
    const columns = 'id, developer_id, batch_id, code, code_key';
    await pipeline(
      db.query(to(`copy (select ${columns} from serials where batch_id = '${batch}' order by id) to stdout`)),
      createWriteStream(file),
    );
    await db.query('delete from serials where batch_id = $1', [batch]);
    await db.query('vacuum serials');
    const begun = performance.now();
    await db.query('begin');
    await pipeline(createReadStream(file), db.query(from(`copy serials (${columns}) from stdin`)));
    await db.query('commit');
    raw.push((performance.now() - begun) / 1000);
  }
  const [a, b] = [Math.min(...ours), Math.min(...raw)];
  bench.line({
    what: `generate ${quantity} as CSV`,
    ours: `${round(a)} s`,
    baseline: `${round(b)} s raw COPY`,
    ratio: a / b,
    atMost: 2.5,
  });
  bench.line({
    what: '  memory growth of the server',
    ours: `${round(growth, 0)} MB`,
    ratio: growth,
    below: 150,
    unit: ' MB',
  });
}
