import pg from 'pg';
import { findSeats } from '../../../packages/server/src/features/licensing/calls/seat-finder.ts';
import type { Statement } from '../../../packages/server/src/platform/db/sql.ts';
import { median } from '../support.ts';

/** How PostgreSQL plans a named statement: as it likes, for the arguments of each call, or once. */
export const MODES = ['auto', 'force_custom_plan', 'force_generic_plan'] as const;
export type Mode = (typeof MODES)[number];

export interface Question {
  developerId: string;
  codeKey: string;
  machineId: string;
}

/** Medians in milliseconds. */
export interface LookedUp {
  /** The time from the call to the answer. */
  took: number;
  /** The part that PostgreSQL reports as planning. A plan that is there already is locked in this time. */
  planning: number;
  running: number;
  /** Tables, partitions and indexes that one look-up locks. */
  locks: number;
  plan: string;
}

interface Looking {
  url: string;
  mode: Mode;
  client: pg.Client;
  took: number[];
  planning: number[];
  running: number[];
  locks: number;
  plan: string;
}

const TURNS = 10;
const EACH = 150;
const EXPLAINED = 20;

/**
 * The look-up of `validate` without a server around it, in several databases and by each mode of planning, in turns, so that all of them
 * meet the same disturbances.
 * @param ask the licenses that one statement looks up; all of them have to be there
 * @returns for each database and mode
 */
export async function lookUps(
  urls: readonly string[],
  ask: () => readonly Question[],
  { turns = TURNS, each = EACH } = {},
): Promise<Map<string, Record<Mode, LookedUp>>> {
  const all: Looking[] = [];
  try {
    for (const url of urls)
      for (const mode of MODES) {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        all.push({ url, mode, client, took: [], planning: [], running: [], locks: 0, plan: '' });
        await client.query(`set plan_cache_mode = ${mode}`);
      }
    for (let turn = 0; turn <= turns; turn += 1) {
      // each comes first as often as last; the first turn warms up
      for (const looking of turn % 2 === 0 ? all : all.toReversed()) {
        if (turn === 1) Object.assign(looking, { took: [], planning: [], running: [] });
        for (let call = 0; call < each; call += 1) await lookUp(looking, ask());
        for (let call = 0; call < EXPLAINED; call += 1) await explain(looking, ask());
      }
    }
    for (const looking of all) await countLocks(looking, ask());
    return new Map(
      urls.map((url) => {
        const own = all.filter((looking) => looking.url === url);
        return [url, Object.fromEntries(own.map((looking) => [looking.mode, of(looking)])) as Record<Mode, LookedUp>];
      }),
    );
  } finally {
    for (const { client } of all) await client.end();
  }
}

function of({ took, planning, running, locks, plan }: Looking): LookedUp {
  return { took: median(took), planning: median(planning), running: median(running), locks, plan };
}

const named = ({ text, values, name }: Statement) => ({ text, values: values as unknown[], name: name as string });

/** A look-up as the server sends it. */
function find(questions: readonly Question[], send: (statement: Statement) => Promise<pg.QueryResult>) {
  const query = () => Promise.reject(new Error('sent by its name'));
  return findSeats({ query, send: send as never }, questions);
}

async function lookUp({ client, took }: Looking, questions: readonly Question[]): Promise<void> {
  const began = performance.now();
  const found = await find(questions, (statement) => client.query(named(statement)));
  took.push(performance.now() - began);
  const missing = questions.find((_, at) => found[at] === undefined);
  if (missing) throw new Error(`${missing.codeKey} was not found`);
}

const literal = (value: unknown) => pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));

async function explain(looking: Looking, questions: readonly Question[]): Promise<void> {
  const { client } = looking;
  await find(questions, async ({ name, values }) => {
    const execute = `execute "${name}" (${values.map(literal).join(', ')})`;
    const { rows } = await client.query(`explain (analyze, costs off, timing off, format json) ${execute}`);
    const [explained] = rows[0]['QUERY PLAN'];
    looking.planning.push(explained['Planning Time']);
    looking.running.push(explained['Execution Time']);
    if (looking.plan !== '') return { rows: [] } as never;
    const { rows: lines } = await client.query(`explain (analyze, costs off, timing off, summary off) ${execute}`);
    looking.plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    return { rows: [] } as never;
  });
}

async function countLocks(looking: Looking, questions: readonly Question[]): Promise<void> {
  const { client } = looking;
  await client.query('begin');
  await find(questions, (statement) => client.query(named(statement)));
  const { rows } = await client.query(
    `select count(*)::int as n from pg_locks
     where pid = pg_backend_pid() and locktype = 'relation' and relation <> 'pg_locks'::regclass`,
  );
  looking.locks = rows[0].n;
  await client.query('commit');
}
