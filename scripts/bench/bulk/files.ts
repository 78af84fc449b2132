import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from, to } from 'pg-copy-streams';
import { FormData, fetch as undiciFetch } from 'undici';
import type { Bench } from '../bench.ts';
import { post, round, signIn, watchMemory } from '../support.ts';

const CHUNK = 10_000;

async function writeCsv(file: string, quantity: number): Promise<void> {
  const lines = function* () {
    yield 'Serial,Product,Promo Price,Promo Expires,Active From,Active To,Batch Tag,Notes\n';
    for (let done = 0; done < quantity; done += CHUNK) {
      let text = '';
      for (let i = done; i < Math.min(done + CHUNK, quantity); i += 1) {
        const code = (i * 2_654_435_761 + 97).toString(36).toUpperCase().padStart(12, 'X');
        text += `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)},Imported,9.99,2030-01-31,,2031-12-31,Wholesale,from the old shop\n`;
      }
      yield text;
    }
  };
  await pipeline(lines, createWriteStream(file));
}

/** A CSV of available serials against a raw COPY of the rows it becomes, into the same table. */
export async function importing(bench: Bench): Promise<void> {
  const { server, db, quantity, folder, say } = bench;
  const { token, developerId } = await signIn(server.url, 'importer');
  await post(server.url, '/api/products', { name: 'Imported', price: 10 }, token);
  const file = path.join(folder, 'available.csv');
  await writeCsv(file, quantity);
  const ours: number[] = [];
  const raw: number[] = [];
  let growth = 0;
  const columns = 'id, developer_id, batch_id, code, code_key';
  const copy = path.join(folder, 'imported.copy');
  for (let turn = 1; turn <= 2; turn += 1) {
    say(`importing a CSV of ${quantity} serials, turn ${turn} of 2`);
    const memory = await watchMemory(server);
    const form = new FormData();
    form.append('file', await openAsBlob(file), 'available.csv');
    const started = performance.now();
    const response = await undiciFetch(`${server.url}/api/serials/import-available`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    const answer = (await response.json()) as { count?: number };
    if (answer.count !== quantity) throw new Error(`the import answered ${JSON.stringify(answer).slice(0, 500)}`);
    ours.push((performance.now() - started) / 1000);
    growth = Math.max(growth, memory.stop());
    say('the same rows by a raw COPY');
    const own = `select ${columns} from serials where developer_id = '${developerId}' order by id`;
    await pipeline(db.query(to(`copy (${own}) to stdout`)), createWriteStream(copy));
    await db.query('delete from serials where developer_id = $1', [developerId]);
    await db.query('vacuum serials');
    const begun = performance.now();
    await db.query('begin');
    await pipeline(createReadStream(copy), db.query(from(`copy serials (${columns}) from stdin`)));
    await db.query('commit');
    raw.push((performance.now() - begun) / 1000);
    await db.query('delete from serials where developer_id = $1', [developerId]);
    await db.query('delete from batches where developer_id = $1', [developerId]);
    await db.query('vacuum serials');
  }
  const [a, b] = [Math.min(...ours), Math.min(...raw)];
  bench.line({
    what: `import a CSV of ${quantity} (${round((await stat(file)).size / 1e6, 0)} MB)`,
    ours: `${round(a)} s`,
    baseline: `${round(b)} s raw COPY`,
    ratio: a / b,
    atMost: 3,
  });
  bench.line({
    what: '  memory growth of the server',
    ours: `${round(growth, 0)} MB`,
    ratio: growth,
    below: 150,
    unit: ' MB',
  });
}
