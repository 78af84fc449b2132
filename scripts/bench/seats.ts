import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  churnSince,
  type Machine,
  rowOf,
  takeAndRecord,
  takeAtOnce,
} from '../../packages/server/src/features/licensing/seats/take.queries.ts';
import { notifyRecorded } from '../../packages/server/src/features/webhooks/index.ts';
import type { Statement } from '../../packages/server/src/platform/db/sql.ts';
import { idAt } from '../../packages/server/src/platform/random.ts';
import type { Bench } from './bench.ts';
import { SEEDED_MACHINES, seedLedger } from './seeds/seed.ts';
import { median, round, signIn } from './support.ts';

const TURNS = 10;
const EACH = 200;

/** Machines whose names begin with this word fire a trigger that notes seats, as an earlier version did. */
const TRIGGERED = 'triggered';
const TRIGGER = [
  `create function bench_noted() returns trigger as $$ begin
     insert into seat_changes (developer_id, id, product_id, machine, version, os, seen_on, seats)
     select new.developer_id, gen_random_uuid(), b.product_id, hashtextextended(new.machine_id, 0), coalesce(new.version, ''),
       coalesce(new.os, ''), (new.last_seen_at at time zone 'UTC')::date, 1
     from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
     where (s.developer_id, s.id) = (new.developer_id, new.serial_id);
     return null;
   end $$ language plpgsql`,
  `create trigger bench_noted after insert on activations for each row when (new.machine_id like '${TRIGGERED}%')
   execute function bench_noted()`,
];

type Edit = (text: string) => string;

/** A connection by which a form of the statement is sent. */
const edited = (client: pg.Client, edit: Edit = (text) => text) => ({
  client,
  query: () => Promise.reject(new Error('sent by its name')),
  send: ({ text, values, name }: Statement) => {
    const sent = edit(text);
    // those of a part that is left out come last
    const most = Math.max(...[...sent.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    return client.query({ text: sent, values: values.slice(0, most) as unknown[], name: name as string }) as never;
  },
});

const newly = (machine: Machine) => [churnSince(machine), machine.machineId, ...rowOf(machine)] as const;

/** @returns whether it got a seat */
type Give = (client: pg.Client, machine: Machine) => Promise<boolean>;

/** Takes a seat in one statement, and nobody hears of it. */
const alone =
  (edit?: Edit): Give =>
  async (client, machine) => {
    const [taken] = await takeAtOnce(edited(client, edit), ...newly(machine));
    return taken != null && taken.seats_used !== null;
  };

/** Takes a seat in a transaction with a notice. */
const withNotice: Give = async (client, machine) => {
  const sql = edited(client);
  await client.query('begin');
  const [taken] = await takeAndRecord(sql, idAt(machine.now), ...newly(machine));
  if (!taken?.told) throw new Error('nobody listens');
  await notifyRecorded(sql, { account: machine.developerId, id: taken.told, type: 'license.activated' });
  await client.query('commit');
  return true;
};

/** Takes a seat in one statement with its notice. */
const withNoticeInside: Give = async (client, machine) => {
  const [taken] = await takeAndRecord(edited(client, notified), idAt(machine.now), ...newly(machine));
  return taken?.told != null;
};

/** Leaves out the part that notes the change of the sums. */
const unnoted: Edit = (text) => {
  const begin = text.indexOf(', noted as (');
  if (begin === -1) throw new Error('the statement notes no seats');
  let depth = 0;
  for (let at = begin; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth === 0) return text.slice(0, begin) + text.slice(at + 1);
  }
  throw new Error('a part of the statement has no end');
};

/** Adds the notice of what was recorded. */
const notified: Edit = (text) => {
  const end = text.lastIndexOf(' from taken');
  const payload = `json_build_object('a', developer_id, 'type', 'webhook', 'data', json_build_object('event_id', id, 'event', type))`;
  return `${text.slice(0, end)}, (select pg_notify('tonerow_live', ${payload}::text) from event) as heard${text.slice(end)}`;
};

interface Account {
  developerId: string;
  /** Serials with a free seat. */
  serials: string[];
}

/**
 * The statement by which `activate` gives a new machine its seat, without a server around it, beside the forms that it had before it
 * suited many machines: seats were noted by a trigger, and who listens was notified within the statement. In turns, so that all of them
 * meet the same disturbances; each form in a connection of its own.
 */
export async function seats({ server, databaseUrl, db, say, line }: Bench): Promise<void> {
  const perForm = (TURNS + 1) * EACH;
  const quiet = await developer('quiet', 3 * perForm, 61);
  const heard = await developer('heard', 2 * perForm, 62);
  await db.query(
    `insert into webhook_endpoints (id, developer_id, url, description, events, signature, include_personal, secret, enabled,
       listens_until, created_at)
     values ($1, $2, '', '', '{*}', 'v1', false, '', true, now() + interval '1 day', now())`,
    [randomUUID(), heard.developerId],
  );
  for (const statement of TRIGGER) await db.query(statement);
  const forms: Record<string, { account: Account; give: Give }> = {
    noted: { account: quiet, give: alone() },
    [TRIGGERED]: { account: quiet, give: alone(unnoted) },
    unnoted: { account: quiet, give: alone(unnoted) },
    told: { account: heard, give: withNotice },
    inside: { account: heard, give: withNoticeInside },
  };
  const runs = Object.entries(forms).map(([name, form]) => ({
    ...form,
    name,
    client: new pg.Client({ connectionString: databaseUrl }),
    times: [] as number[],
  }));
  try {
    for (const { client } of runs) await client.connect();
    for (let turn = 0; turn <= TURNS; turn += 1) {
      say(`seats, ${turn === 0 ? 'to warm up' : `turn ${turn} of ${TURNS}`}`);
      // each form comes first as often as last
      for (const run of turn % 2 === 0 ? runs : runs.toReversed()) {
        if (turn === 1) run.times = [];
        for (let call = 0; call < EACH; call += 1) {
          const newcomer = newcomerOf(run.account, `${run.name}-${turn}-${call}`);
          const began = performance.now();
          const given = await run.give(run.client, newcomer);
          run.times.push(performance.now() - began);
          if (!given) throw new Error(`${run.name}: no seat was given`);
        }
      }
    }
  } finally {
    for (const { client } of runs) await client.end();
  }
  const took = Object.fromEntries(runs.map(({ name, times }) => [name, median(times)]));
  const compare = (what: string, ours: string, before: string, words: string, atMost: number) => {
    const [a = 0, b = 0] = [took[ours], took[before]];
    line({ what, ours: `${round(a, 3)} ms`, baseline: `${round(b, 3)} ms ${words}`, ratio: a / b, atMost });
  };
  compare('a seat, noted by its statement', 'noted', TRIGGERED, 'by a trigger', 1.05);
  compare('  beside one', 'noted', 'unnoted', 'that is not noted', 1.5);
  compare('a seat that somebody hears of', 'told', 'inside', 'in one statement', 1.5);

  async function developer(name: string, quantity: number, mark: number): Promise<Account> {
    say(`seeding ${quantity} redeemed serials`);
    const { developerId } = await signIn(server.url, `seats-${name}`);
    await seedLedger(db, developerId, quantity, mark, SEEDED_MACHINES);
    const { rows } = await db.query<{ id: string }>('select id from serials where developer_id = $1', [developerId]);
    return { developerId, serials: rows.map(({ id }) => id) };
  }
}

function newcomerOf({ developerId, serials }: Account, machineId: string): Machine {
  const serialId = serials.pop();
  if (!serialId) throw new Error('all seats are taken');
  const now = new Date();
  const about = { version: '1.0', label: null, os: 'macOS', tokenHash: randomBytes(32), now };
  return { id: idAt(now), developerId, serialId, machineId, ...about };
}
