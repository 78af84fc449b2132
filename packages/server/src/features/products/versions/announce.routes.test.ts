import { randomUUID } from 'node:crypto';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { emailIdOf } from './email-id.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const ask = (person: Person, method: string, path: string, body?: object) =>
  call(server, method, path, { token: person.token, ...(body ? { body } : {}) });
const emailed = async (developer: Person) =>
  (
    await server.db.query<{ recipient: string }>(
      "select recipient from mails where kind = 'new_version' and developer_id = $1 order by recipient",
      [developer.id],
    )
  ).map(({ recipient }) => recipient);
const announce = (developer: Person, id: string, body: object = {}) =>
  ask(developer, 'POST', `/api/file-versions/${id}/announce`, body);
const ended = (id: string) =>
  expect
    .poll(() => server.db.query('select 1 from version_emails where id = $1 and ended_at is not null', [id]), {
      timeout: 20_000,
    })
    .toHaveLength(1);
const runBatch = (developer: Person, versionId: string, after: string | null) =>
  queueJob(server.db, 'version-emails', { developerId: developer.id, versionId, after });
const lookedAt = async (developer: Person) =>
  server.db.query<{ id: string }>('select id from customers where developer_id = $1 order by created_at, id', [
    developer.id,
  ]);

async function record(developer: Person, productId: string, name: string): Promise<string> {
  const file_urls = [{ name: 'macOS', url: `https://files.example.com/${name}.pkg` }];
  await ask(developer, 'PUT', `/api/products/${productId}`, { file_urls });
  const made = await ask(developer, 'POST', `/api/products/${productId}/file-versions`, { name });
  expect([made.status, made.body.emails]).toEqual([201, null]);
  return made.body.id;
}

/** A developer with a product and a version of it, and owners of serials. */
async function shop(...owners: string[]) {
  const developer = await signUpVerified(server);
  const product = await makeProduct(server, developer.token, {
    name: 'Hall <b>',
    image_url: 'https://row.example/hall.png',
  });
  const serials = await makeSerials(server, developer.token, product.id, { quantity: owners.length + 1 });
  for (const [index, owner] of owners.entries())
    expect((await redeem(server, serials[index]?.code as string, owner, developer.id)).status).toBe(200);
  // each has followed the link of that email
  await server.db.query('update customers set proven_at = last_login_at where developer_id = $1', [developer.id]);
  return { developer, product, serials, version: await record(developer, product.id, '2.0') };
}

it('emails each owner once, in their language, with a link to the serial and one that stops these emails', async () => {
  const { developer, product, serials, version } = await shop('anna@example.com', 'nina@example.com');
  await server.db.query("update customers set language = 'de' where email = 'anna@example.com'");
  const tried = await announce(developer, version, { dry_run: true, note: 'x' });
  expect([tried.status, tried.body.owners, tried.body.dry_run, tried.body.version.emails]).toEqual([
    200,
    2,
    true,
    null,
  ]);
  expect(await emailed(developer)).toEqual([]);
  const note = 'Faster & <i>better</i>.\r\nAgain.\n\nThanks!';
  const sent = await announce(developer, version, { note });
  expect([sent.status, sent.body.owners, sent.body.version.emails.started_at]).toEqual([
    200,
    2,
    clock.now().toISOString(),
  ]);
  await ended(version);
  expect(await emailed(developer)).toEqual(['anna@example.com', 'nina@example.com']);
  const [listed] = (await ask(developer, 'GET', `/api/products/${product.id}/file-versions`)).body;
  expect(listed.emails).toEqual({
    started_at: clock.now().toISOString(),
    ended_at: clock.now().toISOString(),
    owners: 2,
    expected: 2,
  });

  const german = await server.email((email) => email.subject === 'Hall <b> 2.0 ist da');
  expect(german.text).toContain('Abbestellen: http');
  const email = await server.email((each) => each.subject === 'Hall <b> 2.0 is available');
  expect(email.from?.name).toBe('Row Audio');
  expect(email.text).toContain('Faster & <i>better</i>.\nAgain.\n\nThanks!');
  expect(email.html).toContain('Faster &amp; &lt;i&gt;better&lt;/i&gt;.<br>Again.</p>');
  expect(email.html).toContain('<img src="https://row.example/hall.png"');
  const opens = new URLSearchParams(/redeem\?\S*#(\S+)/.exec(email.text ?? '')?.[1]);
  expect([opens.get('serial'), opens.get('email')]).toEqual([serials[1]?.code, 'nina@example.com']);
  const opened = await call(server, 'POST', '/api/redeem/products', {
    body: { download_token: opens.get('downloads') },
  });
  expect(opened.body.products.map((card: { serial_code: string }) => card.serial_code)).toEqual([serials[1]?.code]);

  // one click, as an email program does it
  const header = (key: string) => email.headers.find((each) => each.key === key)?.value;
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const stop = (header('list-unsubscribe') as string).replace(/[<>\s]/g, '').slice(server.url.length);
  await call(server, 'POST', stop, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  clock.advance(DAY + 1);
  const next = await record(developer, product.id, '2.1');
  expect((await announce(developer, next, { dry_run: true })).body.owners).toBe(1);
  await announce(developer, next);
  await ended(next);
  expect(await emailed(developer)).toEqual(['anna@example.com', 'anna@example.com', 'nina@example.com']);
  const log = (await ask(developer, 'GET', '/api/audit-log?action=version_announced')).body.rows;
  expect(log.map((row: { detail: string }) => row.detail)).toEqual(['Hall <b> 2.1', 'Hall <b> 2.0']);
  const kinds = (await ask(developer, 'GET', '/api/email-log?kind=new_version')).body.rows;
  expect(kinds.map((row: { recipient: string }) => row.recipient)).toEqual([
    'anna@example.com',
    expect.any(String),
    expect.any(String),
  ]);
});

it('sends nothing twice for a version, and at most once a day for a product, also when asked twice at once', async () => {
  const { developer, product, version } = await shop('nina@example.com');
  const both = await Promise.all([announce(developer, version), announce(developer, version)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await ended(version);
  expect((await announce(developer, version, { dry_run: true })).body.message).toBe(
    'The owners were emailed about version 2.0 already.',
  );
  // deleting and recording it again is no way around it
  await ask(developer, 'DELETE', `/api/file-versions/${version}`);
  const again = await record(developer, product.id, '2.0');
  const refused = await announce(developer, again);
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  expect(refused.body.message).toMatch(
    /at most once a day\. The next one can go out from \w+ \d+, 2026 at [\d:]+ [AP]M \(UTC\)\./,
  );
  clock.advance(DAY + 1);
  const newer = await record(developer, product.id, '2.2');
  expect((await announce(developer, again)).body.message).toContain('Make version 2.0 current before');
  expect((await announce(developer, newer)).status).toBe(200);
  await ended(newer);
  expect(await emailed(developer)).toHaveLength(2);
});

it('leaves out who has lost the serial, was erased, or only came by an import', async () => {
  const { developer, product, serials, version } = await shop('a@example.com', 'b@example.com', 'c@example.com');
  await server.db.query('update serials set revoked_at = now() where id = $1', [serials[0]?.id]);
  const [erased] = await server.db.query<{ id: string }>(
    "select id from customers where developer_id = $1 and email = 'b@example.com'",
    [developer.id],
  );
  await ask(developer, 'DELETE', `/api/customers/${erased?.id}`);
  const third = 'from serials s where s.id = $1 and (c.developer_id, c.id) = (s.developer_id, s.customer_id)';
  await server.db.query(`update customers c set last_login_at = null ${third}`, [serials[2]?.id]);
  expect((await announce(developer, version, { dry_run: true })).body.owners).toBe(0);
  const none = await announce(developer, version);
  expect([none.status, none.body.code]).toEqual([422, 'domain_rule']);
  const other = await makeProduct(server, developer.token);
  const [foreign] = await makeSerials(server, developer.token, other.id, { quantity: 1 });
  await redeem(server, foreign?.code as string, 'other-product@example.com', developer.id);
  expect((await announce(developer, version, { dry_run: true })).body.owners).toBe(0);
  // a plugin proves nothing, since the key is the developer's
  await server.db.query(
    `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
     values ($1, $2, $3, 'm', now(), now())`,
    [randomUUID(), developer.id, serials[2]?.id],
  );
  expect((await announce(developer, version, { dry_run: true })).body.owners).toBe(0);
  await server.db.query(`update customers c set last_login_at = now() ${third}`, [serials[2]?.id]);
  expect((await announce(developer, version, { dry_run: true })).body.owners).toBe(1);
  await announce(developer, version);
  await ended(version);
  expect(await emailed(developer)).toEqual(['c@example.com']);
  expect((await ask(developer, 'GET', `/api/products/${product.id}/file-versions`)).body[0].emails.owners).toBe(1);
});

it('goes through thousands of customers in batches, and a repeated or resumed one emails nobody again', async () => {
  const { developer, product, serials, version } = await shop('first@example.com');
  await server.db.query(
    `insert into customers (id, developer_id, email, email_key, created_at)
     select gen_random_uuid(), $1, n || '@filler.example', n || '@filler.example', $2 from generate_series(1, 1200) n`,
    [developer.id, clock.now()],
  );
  clock.advance(1000);
  await redeem(server, serials[1]?.code as string, 'last@example.com', developer.id);
  await announce(developer, version);
  await ended(version);
  expect(await emailed(developer)).toEqual(['first@example.com', 'last@example.com']);
  // as if a process had died and everything were done again from the start: the emails' ids are the same
  const before = await lookedAt(developer);
  const begun =
    'update version_emails set last_id = null, last_created_at = null, told = 0, ended_at = null where id = $1';
  await server.db.query(begun, [version]);
  await runBatch(developer, version, null);
  await runBatch(developer, version, null);
  await ended(version);
  expect(await emailed(developer)).toEqual(['first@example.com', 'last@example.com']);
  // a batch that was done by an earlier attempt is not done again
  await server.db.query('update version_emails set ended_at = null, last_id = $2 where id = $1', [
    version,
    before[499]?.id,
  ]);
  await runBatch(developer, version, null);
  await expect
    .poll(
      () =>
        server.db.query("select 1 from pgboss.job where name = 'version-emails' and state in ('created', 'active')"),
      { timeout: 20_000 },
    )
    .toEqual([]);
  expect((await ask(developer, 'GET', `/api/products/${product.id}/file-versions`)).body[0].emails.ended_at).toBeNull();
  // where the queue has given up, the hourly work continues
  await server.db.query(
    "update version_emails set moved_at = (moved_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where id = $1",
    [version],
  );
  await queueJob(server.db, 'expire-records', {});
  await ended(version);
  expect(await emailed(developer)).toHaveLength(2);
});

it('ends when the version, its product or the account is gone, or customers get other files again', async () => {
  const hold =
    'update version_emails set ended_at = null, last_id = null, last_created_at = null, told = 0 where id = $1';
  const undo = "delete from mails where kind = 'new_version' and developer_id = $1";
  const ways: ((developer: Person, product: string, version: string) => Promise<unknown>)[] = [
    (developer, _, version) => ask(developer, 'DELETE', `/api/file-versions/${version}`),
    (developer, product) => record(developer, product, '3.0'),
    (_, product) => server.db.query('update products set deleted_at = now() where id = $1', [product]),
    (developer) => server.db.query('update users set deleted_at = now() where id = $1', [developer.id]),
  ];
  for (const way of ways) {
    const { developer, product, version } = await shop('nina@example.com');
    await announce(developer, version);
    await ended(version);
    // as before its first batch
    await server.db.query(undo, [developer.id]);
    await server.db.query(hold, [version]);
    await way(developer, product.id, version);
    await runBatch(developer, version, null);
    await ended(version);
    expect(await emailed(developer)).toEqual([]);
  }
});

it('is for verified accounts, for one’s own versions, and for notes that an email can show', async () => {
  const { developer, version } = await shop('nina@example.com');
  const stranger = await signUpVerified(server);
  expect((await announce(stranger, version)).status).toBe(404);
  const unverified = await signUp(server);
  expect((await announce(unverified, version)).body.code).toBe('email_unverified');
  for (const note of ['x'.repeat(2001), 'a\u0000b', 7])
    expect((await announce(developer, version, { note })).status).toBe(400);
  expect(await emailed(developer)).toEqual([]);
});

it('leaves out addresses that only the developer has brought: by a change, and by a transfer', async () => {
  const { developer, serials, version } = await shop('d@example.com', 'e@example.com');
  const [customer] = (await ask(developer, 'GET', '/api/customers/list?search=d@example.com')).body.customers;
  const body = { email: 'stranger@example.com' };
  expect((await ask(developer, 'PATCH', `/api/customers/${customer.id}`, body)).status).toBe(200);
  expect((await ask(developer, 'POST', `/api/serials/${serials[1]?.id}/transfer`, body)).status).toBe(200);
  const other = { email: 'second-stranger@example.com' };
  expect((await ask(developer, 'POST', `/api/serials/${serials[1]?.id}/transfer`, other)).status).toBe(200);
  expect((await announce(developer, version, { dry_run: true })).body.owners).toBe(0);
});

it('gives the emails of one version ids of their own, in the order of the log', () => {
  const at = new Date('2026-03-10T12:00:00Z');
  const [a, b] = [emailIdOf(at, 'v', 'a'), emailIdOf(at, 'v', 'b')];
  expect(a).toBe(emailIdOf(at, 'v', 'a'));
  expect(a).not.toBe(b);
  expect(a).not.toBe(emailIdOf(at, 'w', 'a'));
  expect(a).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(emailIdOf(new Date(at.getTime() + 1), 'v', 'a') > a).toBe(true);
});
