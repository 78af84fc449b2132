import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { from, to } from 'pg-copy-streams';
import { FormData, fetch as undiciFetch } from 'undici';
import type { Bench } from '../bench.ts';
import { post, round, signIn, watchMemory } from '../support.ts';

const CHUNK = 10_000;
const PER_CUSTOMER = 4;
const TURNS = 2;

/** The tables that an import of sales writes most, in the order in which they point to each other. */
const TABLES = ['batches', 'customers', 'serials', 'redemptions'] as const;

async function writeSales(file: string, quantity: number): Promise<void> {
  const lines = function* () {
    yield 'License Key;Product;E-Mail;Vorname;Nachname;Preis;Kaufdatum;Land\n';
    for (let done = 0; done < quantity; done += CHUNK) {
      let text = '';
      for (let i = done; i < Math.min(done + CHUNK, quantity); i += 1) {
        const code = (i * 2_654_435_761 + 97).toString(36).toUpperCase().padStart(12, 'Y');
        const day = new Date(Date.UTC(2020, 0, 1) + (i % 1800) * 86_400_000).toISOString().slice(0, 10);
        const [year, month, date] = day.split('-');
        const person = Math.floor(i / PER_CUSTOMER);
        text += `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)};Moved;person-${person}@example.com;First${person};Last${person};${10 + (i % 90)},50;${date}.${month}.${year};DE\n`;
      }
      yield text;
    }
  };
  await pipeline(lines, createWriteStream(file));
}

/** Sales of another system through the assistant: importing them, checking them and taking them back, against a raw COPY of their rows. */
export async function movingIn(bench: Bench): Promise<void> {
  const { server, db, quantity, folder, say } = bench;
  const { token, developerId } = await signIn(server.url, 'mover');
  await post(server.url, '/api/products', { name: 'Moved', price: 10 }, token);
  const file = path.join(folder, 'moved.csv');
  await writeSales(file, quantity);

  const step = async (id: string, name: string) => {
    const response = await undiciFetch(`${server.url}/api/imports/${id}${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
  };
  /** Waits for a state. @returns how many lines it counts. */
  const reached = async (id: string, state: string): Promise<number> => {
    for (;;) {
      const response = await fetch(`${server.url}/api/imports/${id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const found = (await response.json()) as { state: string; error: string | null; count: number };
      if (found.state === state) return found.count;
      if (found.error !== null) throw new Error(found.error);
      await pause(100);
    }
  };
  const ended = async (id: string, state: string): Promise<void> => {
    const count = await reached(id, state);
    if (count !== quantity) throw new Error(`the import has ${count} lines instead of ${quantity}`);
  };
  const timed = async (work: () => Promise<void>): Promise<number> => {
    const begun = performance.now();
    await work();
    return (performance.now() - begun) / 1000;
  };

  const took = {
    read: [] as number[],
    check: [] as number[],
    run: [] as number[],
    undo: [] as number[],
    raw: [] as number[],
  };
  let growth = 0;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    say(`moving ${quantity} sales in, turn ${turn} of ${TURNS}`);
    const memory = await watchMemory(server);
    let id = '';
    took.read.push(
      await timed(async () => {
        const form = new FormData();
        form.append('file', await openAsBlob(file), 'moved.csv');
        const response = await undiciFetch(`${server.url}/api/imports`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: form,
        });
        const made = (await response.json()) as { id?: string; plan?: { questions: unknown[] } };
        if (!made.id || made.plan?.questions.length !== 0)
          throw new Error(`the file was not understood: ${JSON.stringify(made).slice(0, 500)}`);
        id = made.id;
      }),
    );
    say('checking them');
    took.check.push(
      await timed(async () => {
        await step(id, '/check');
        await reached(id, 'open');
      }),
    );
    say('importing them');
    took.run.push(
      await timed(async () => {
        await step(id, '/run');
        await ended(id, 'complete');
      }),
    );
    await keepRows(bench, developerId);
    say('taking them back');
    took.undo.push(
      await timed(async () => {
        await step(id, '/undo');
        await ended(id, 'undone');
      }),
    );
    growth = Math.max(growth, memory.stop());
    await settle(bench);
    say('the same rows by a raw COPY');
    took.raw.push(
      await timed(async () => {
        await db.query('begin');
        for (const table of TABLES)
          await pipeline(createReadStream(rowsOf(folder, table)), db.query(from(`copy ${table} from stdin`)));
        await db.query('commit');
      }),
    );
    // the ledger lets nothing go but what is taken back
    await db.query('set session_replication_role = replica');
    for (const table of [...TABLES].reverse())
      await db.query(`delete from ${table} where developer_id = $1`, [developerId]);
    await db.query('set session_replication_role = default');
    await settle(bench);
  }

  const best = (times: readonly number[]) => Math.min(...times);
  const size = round((await stat(file)).size / 1e6, 0);
  bench.line({
    what: `import ${quantity} sales in steps (${size} MB, read in ${round(best(took.read))} s)`,
    ours: `${round(best(took.run))} s`,
    baseline: `${round(best(took.raw))} s raw COPY`,
    ratio: best(took.run) / best(took.raw),
    atMost: 2,
  });
  bench.line({
    what: '  checking them',
    ours: `${round(best(took.check))} s`,
    baseline: `${round(best(took.run))} s importing`,
    ratio: best(took.check) / best(took.run),
    atMost: 0.6,
  });
  bench.line({
    what: '  taking them back',
    ours: `${round(best(took.undo))} s`,
    baseline: `${round(best(took.run))} s importing`,
    ratio: best(took.undo) / best(took.run),
    atMost: 1,
  });
  bench.line({
    what: '  memory growth of the server',
    ours: `${round(growth, 0)} MB`,
    ratio: growth,
    below: 100,
    unit: ' MB',
  });
}

/** Leaves the tables as they are at rest. Analyzed amid a COPY by PostgreSQL itself, as empty, its foreign keys would read an index whole for each row. */
async function settle({ db }: Bench): Promise<void> {
  for (const table of TABLES) await db.query(`vacuum (analyze) ${table}`);
}

const rowsOf = (folder: string, table: string) => path.join(folder, `moved-${table}.copy`);

/** Writes the rows of an import to files, to be copied in again. */
async function keepRows({ db, folder }: Bench, developerId: string): Promise<void> {
  for (const table of TABLES) {
    const own = `select * from ${table} where developer_id = '${developerId}' order by id`;
    await pipeline(db.query(to(`copy (${own}) to stdout`)), createWriteStream(rowsOf(folder, table)));
  }
}
