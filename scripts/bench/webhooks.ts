import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execaNode } from 'execa';
import { type EventType, eventTypes } from '../../packages/server/src/features/webhooks/events/catalog.ts';
import { type RecordedEvent, recordWebhooks } from '../../packages/server/src/features/webhooks/events/record.ts';
import { samples } from '../../packages/server/src/features/webhooks/events/samples.ts';
import { sqlOf } from '../../packages/server/src/platform/db/database.ts';
import type { Bench } from './bench.ts';
import { type Shot, shoot } from './load.ts';
import { seedOpen } from './seeds/seed.ts';
import { median, post, root, round, signIn, startServer } from './support.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ACCOUNTS = 5;
const PER_ACCOUNT = 10;
const ENDPOINTS = ACCOUNTS * PER_ACCOUNT;
/** As many as the deliverer has under way at once. */
const AT_ONCE = 50;
/** Events that happen in a second while their age is measured: a busy day of a large platform. */
const PACE = 200;
const TURNS = 5;
/** Serials to redeem, more than can be redeemed in the time. */
const STOCK = 40_000;
const [WITH, WITHOUT] = [40, 41];

interface Report {
  /** Milliseconds from each event to its arrival. */
  ages: number[];
  last: number;
}

interface Target {
  accountId: string;
  type: EventType;
}

/**
 * Delivering to fifty endpoints of which one is dead and one slow: how many of those that wait a second, and how many while as
 * many are being recorded, against a loop that only posts; and how soon the others hear. Then what an endpoint costs a
 * redemption.
 */
export async function webhooks(bench: Bench): Promise<void> {
  const { say, line } = bench;
  const receivers = execaNode(path.join(root, 'scripts/bench/processes/receivers.ts'), [], {
    ipc: true,
    reject: false,
    stdio: 'inherit',
  });
  const { port } = (await receivers.getOneMessage()) as unknown as { port: number };
  const ask = async (what: 'reset' | 'report') => {
    const [report] = await Promise.all([receivers.getOneMessage(), receivers.sendMessage(what)]);
    return report as unknown as Report;
  };
  try {
    const targets = await endpoints(bench, `http://127.0.0.1:${port}`);
    // the first two are dead and slow
    const quick = EVENTS - 2 * Math.ceil(EVENTS / ENDPOINTS);
    const url = `http://127.0.0.1:${port}/quick`;
    say('warming up');
    await burst(bench, targets, ask, { quick, together: true });
    await bare(url);
    const rates: { waiting: number; recorded: number; raw: number }[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      say(`delivering ${EVENTS} events twice, turn ${turn} of ${TURNS}`);
      rates.push({
        waiting: await burst(bench, targets, ask, { quick, together: true }),
        recorded: await burst(bench, targets, ask, { quick, together: false }),
        raw: await bare(url),
      });
    }
    const compared = (which: 'waiting' | 'recorded') => ({
      ours: `${round(median(rates.map((rate) => rate[which])), 0)} /s`,
      baseline: `${round(median(rates.map(({ raw }) => raw)), 0)} /s bare POST, kept alive, ${AT_ONCE} at once`,
      ratio: median(rates.map((rate) => rate[which] / rate.raw)),
    });
    line({
      what: `webhooks delivered of ${EVENTS} that wait, to ${ENDPOINTS} endpoints, one dead and one slow`,
      ...compared('waiting'),
      atLeast: 0.5,
    });
    line({
      what: '  recorded and delivered, both at once on this machine',
      ...compared('recorded'),
      atLeast: 0.35,
    });
    say(`${PACE} events a second`);
    const ages = (await paced(bench, targets, ask)).sort((x, y) => x - y);
    const p99 = ages[Math.floor(ages.length * 0.99)] ?? Number.NaN;
    line({
      what: `  from the event to its arrival at the others, 99 of 100, ${PACE} events a second`,
      ours: `${round(p99, 0)} ms`,
      ratio: p99,
      atMost: 2000,
      unit: ' ms',
    });
  } finally {
    receivers.kill();
  }
  await redemption(bench);
}

/** Each endpoint asks for one type of its account, so that one event is one delivery. */
async function endpoints({ server, db }: Bench, receiver: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const { token, developerId: accountId } = await signIn(server.url, `webhooks-${account}`);
    await db.query('update users set email_verified_at = now() where id = $1', [accountId]);
    for (const type of eventTypes.slice(0, PER_ACCOUNT)) {
      const kind = ['dead', 'slow'][targets.length] ?? 'quick';
      await post(server.url, '/api/webhooks', { url: `${receiver}/${kind}/${targets.length}`, events: [type] }, token);
      targets.push({ accountId, type });
    }
  }
  return targets;
}

const event = (type: EventType): RecordedEvent => ({ type, at: new Date(), data: samples[type] }) as RecordedEvent;

type Ask = (what: 'reset' | 'report') => Promise<Report>;

async function arrived(ask: Ask, count: number): Promise<Report> {
  for (const end = performance.now() + 300_000; performance.now() < end; await pause(250)) {
    const report = await ask('report');
    if (report.ages.length >= count) return report;
  }
  throw new Error(`of ${count} events ${(await ask('report')).ages.length} arrived`);
}

/**
 * Deliveries a second, until the last arrival.
 * @param how together: in one transaction, and from its commit on; else one endpoint after another, from the first event on.
 */
async function burst(
  { db }: Bench,
  targets: readonly Target[],
  ask: Ask,
  { quick, together }: { quick: number; together: boolean },
): Promise<number> {
  await ask('reset');
  let began = Date.now();
  if (together) await db.query('begin');
  for (const { accountId, type } of targets)
    await recordWebhooks(
      sqlOf(db),
      accountId,
      Array.from({ length: Math.ceil(EVENTS / ENDPOINTS) }, () => event(type)),
    );
  if (together) {
    began = Date.now();
    await db.query('commit');
  }
  const { ages, last } = await arrived(ask, quick);
  return (ages.length * 1000) / (last - began);
}

async function paced({ db }: Bench, targets: readonly Target[], ask: Ask): Promise<number[]> {
  await ask('reset');
  const began = performance.now();
  let quick = 0;
  for (let n = 0; n < EVENTS; n += 1) {
    const wait = began + (n * 1000) / PACE - performance.now();
    if (wait > 0) await pause(wait);
    const { accountId, type } = targets[n % ENDPOINTS] as Target;
    if (n % ENDPOINTS > 1) quick += 1;
    await recordWebhooks(sqlOf(db), accountId, [event(type)]);
  }
  return (await arrived(ask, quick)).ages;
}

/** Measures a program that sends nothing but the same bytes to the same receiver. */
async function bare(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const body = JSON.stringify({
    type: 'serial.redeemed',
    timestamp: new Date().toISOString(),
    data: samples['serial.redeemed'],
  });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => response.resume().on('end', resolve));
      sent.on('error', reject);
      sent.end(body);
    });
  const began = performance.now();
  let left = EVENTS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (; left > 0; left -= 1) await one();
    }),
  );
  agent.destroy();
  return (EVENTS * 1000) / (performance.now() - began);
}

/**
 * A redemption of an account whose endpoint asks for it against one of an account without: what it costs to record the event,
 * in a process that does not send, because sending is measured above.
 */
async function redemption({ server, db, databaseUrl, folder, say, line }: Bench): Promise<void> {
  const settings = {
    DATABASE_URL: databaseUrl,
    TONEROW_SECRET: (await readFile(path.join(folder, 'data', 'secret'), 'utf8')).trim(),
    TONEROW_ROLE: 'api',
  };
  const ours = await startServer(path.join(folder, 'data-redeeming'), settings);
  const account = async (name: string, mark: number) => {
    const { token, developerId } = await signIn(server.url, name);
    await db.query("update users set email_verified_at = now(), plan = 'elite' where id = $1", [developerId]);
    await seedOpen(db, developerId, STOCK, mark);
    const { rows } = await db.query<{ code: string }>('select code from serials where developer_id = $1', [
      developerId,
    ]);
    const body = () => JSON.stringify({ serial: rows.pop()?.code, email: 'fan@example.com', dev: developerId });
    const { temp_token } = await post(server.url, '/api/redeem/initiate', JSON.parse(body()));
    await post(server.url, '/api/redeem/complete', { temp_token, first_name: 'Nina', last_name: 'Simone' });
    return { token, developerId, body };
  };
  say(`seeding twice ${STOCK} serials to redeem`);
  const [plain, asking] = [await account('without-webhook', WITHOUT), await account('with-webhook', WITH)];
  const hook = { url: 'http://127.0.0.1:9999/', events: ['serial.redeemed'] };
  const { webhook } = await post(server.url, '/api/webhooks', hook, asking.token);
  // recorded and not sent, by no process
  await db.query("update webhook_endpoints set enabled = false, disabled_reason = 'owner' where id = $1", [webhook.id]);
  const runs: Record<'plain' | 'asking', Shot[]> = { plain: [], asking: [] };
  const run = async (which: keyof typeof runs, next: () => string) =>
    runs[which].push(await shoot({ url: `${ours.url}/api/redeem/initiate`, next, seconds: SECONDS, connections: 4 }));
  try {
    for (let turn = 1; turn <= 5; turn += 1) {
      say(`redeeming, turn ${turn} of 5`);
      await run('plain', plain.body);
      await run('asking', asking.body);
    }
  } finally {
    await ours.stop();
  }
  const { rows } = await db.query('select count(*)::int as n from webhook_events where developer_id = $1', [
    asking.developerId,
  ]);
  if (rows[0].n === 0) throw new Error('no redemption was recorded');
  const rate = (shots: Shot[]) => median(shots.map((shot) => shot.rate));
  line({
    what: 'redeem over HTTP with a webhook that asks for it, 4 at once',
    ours: `${round(rate(runs.asking), 0)} /s`,
    baseline: `${round(rate(runs.plain), 0)} /s without one`,
    ratio: median(runs.asking.map((shot, n) => shot.rate / (runs.plain[n]?.rate ?? 0))),
    atLeast: 0.95,
  });
}
