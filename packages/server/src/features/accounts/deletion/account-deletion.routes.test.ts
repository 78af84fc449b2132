import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { plantPayout } from '@tonerow/test-support/payouts.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const post = (path: string, body: object, token?: string) =>
  call(server, 'POST', path, { body, ...(token ? { token } : {}) });
const remove = (person: Person) =>
  call(server, 'DELETE', '/api/account/delete', { token: person.token, body: { password: PASSWORD } });
const told = async (developerId: string) =>
  (
    await server.db.query<{ recipient: string }>(
      "select recipient from mails where kind = 'account_closed' and developer_id = $1 order by recipient",
      [developerId],
    )
  ).map((row) => row.recipient);
/** Waits until the job has notified everybody. */
const allTold = (developerId: string) =>
  expect
    .poll(() => server.db.query('select 1 from account_closings where developer_id = $1', [developerId]), {
      timeout: 20_000,
    })
    .toEqual([]);

/** A developer with a product, one serial redeemed by Nina, and others still available. */
async function shop(person?: Person) {
  const developer = person ?? (await signUpVerified(server));
  const product = await makeProduct(server, developer.token, {
    file_urls: [{ name: 'macOS', url: 'https://files.example.com/p.dmg' }],
  });
  const [owned, unsold, waiting] = (await makeSerials(server, developer.token, product.id)).map(({ code }) => code);
  const nina = `nina-${developer.id}@example.com`;
  const opened = await redeem(server, owned as string, nina, developer.id);
  expect(opened.status).toBe(200);
  const key = (await post('/api/developer/plugin-keys', {}, developer.token)).body.plaintext as string;
  const plugin = (verb: string, code: string, machine: string, more: object = {}) =>
    post(`/api/license/v1/${verb}`, { license_key: code, machine_id: machine, ...more }, key);
  return { developer, product, nina, plugin, opened, owned: owned ?? '', unsold: unsold ?? '', waiting: waiting ?? '' };
}

describe('deleting the account', () => {
  it('requires the password, ends everything and frees the address', async () => {
    const ada = await signUp(server);
    const login = () => post('/api/auth/login', { email: ada.email, password: PASSWORD });
    const wrong = { token: ada.token, body: { password: 'wrong password' } };
    expect((await call(server, 'DELETE', '/api/account/delete', wrong)).status).toBe(403);
    expect((await remove(ada)).body).toEqual({ message: 'Account deleted successfully.' });
    expect((await call(server, 'GET', '/api/auth/me', { token: ada.token })).status).toBe(401);
    expect((await login()).status).toBe(401);
    const [row] = await server.db.query('select email, first_name, deleted_at from users where id = $1', [ada.id]);
    expect(row).toMatchObject({ email: 'deleted', first_name: '' });
    const form = { first_name: 'Ada', last_name: 'Row', email: ada.email, password: PASSWORD };
    expect((await post('/api/auth/register', form)).status).toBe(201);
    expect((await login()).status).toBe(200);
  });
});

describe('after a developer has deleted the account', () => {
  it('unredeemed serials can no longer be redeemed, and the response explains what to do', async () => {
    const { developer, unsold, waiting } = await shop();
    const started = await post('/api/redeem/initiate', { serial: waiting, email: 'new@example.com' });
    expect(started.body.require_name).toBe(true);
    expect((await remove(developer)).status).toBe(200);
    const name = { temp_token: started.body.temp_token, first_name: 'Nina', last_name: 'Simone' };
    for (const answer of [
      await post('/api/redeem/initiate', { serial: unsold, email: 'new@example.com' }),
      await post('/api/redeem/initiate', { serial: unsold, email: 'new@example.com', dev: developer.id }),
      await post('/api/redeem/complete', name),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'developer_gone']);
      expect(answer.body.message).toContain('Ask the shop that sold it for a refund.');
    }
    const rows = await server.db.query('select 1 from redemptions where developer_id = $1', [developer.id]);
    expect(rows).toHaveLength(1);
  });

  it('plugin keys make no first activation', async () => {
    const { developer, plugin, unsold } = await shop();
    await remove(developer);
    const answer = await plugin('activate', unsold, 'studio', { email: 'new@example.com' });
    expect([answer.status, answer.body.status]).toEqual([403, 'expired']);
    expect(answer.body.error).toContain('has closed their account');
    expect((await plugin('keyfile', unsold, 'studio', { email: 'new@example.com' })).body.status).toBe('expired');
  });

  it('what a customer owns validates, activates and downloads as before', async () => {
    const { developer, plugin, owned, nina } = await shop();
    const first = await plugin('activate', owned, 'studio');
    await remove(developer);
    const validation_token = first.body.validation_token;
    expect((await plugin('validate', owned, 'studio', { validation_token })).body.status).toBe('active');
    expect((await plugin('activate', owned, 'studio')).body.status).toBe('active');
    expect((await plugin('activate', owned, 'laptop', { email: nina })).body.status).toBe('active');
    expect((await plugin('deactivate', owned, 'laptop')).body.status).toBe('deactivated');
    const reopened = await post('/api/redeem/initiate', { serial: owned, email: nina, dev: developer.id });
    expect(reopened.body.products).toMatchObject([{ serial_code: owned, revoked: false }]);
    const file = new URL(reopened.body.products[0].files[0].url);
    const click = await call(server, 'GET', `${file.pathname}${file.search}`);
    expect([click.status, click.headers.get('location')]).toEqual([302, 'https://files.example.com/p.dmg']);
  });

  it('everything that an address owns comes by email, and its seats are freed', async () => {
    const { developer, plugin, owned, nina } = await shop();
    await plugin('activate', owned, 'studio');
    await remove(developer);
    await post('/api/redeem/my-products', { email: nina, dev: developer.id });
    const email = await server.email((each) => each.to?.[0]?.address === nina && each.subject === 'Your products');
    const token = /open=([^\s&]+)/.exec(email.text ?? '')?.[1] as string;
    const { body } = await post('/api/redeem/my-products/open', { token });
    expect(body.products).toMatchObject([{ serial_code: owned }]);
    const [machine] = body.machines[owned];
    const freed = await post('/api/redeem/my-products/release', { token, machine_id: machine.id });
    expect(freed.status).toBe(200);
  });

  it('a code that another developer has too redeems there', async () => {
    const [gone, there] = [await shop(), await shop()];
    await server.db.query('update serials set code = $1, code_key = $2 where code = $3', [
      gone.unsold,
      gone.unsold.replaceAll('-', ''),
      there.unsold,
    ]);
    const ask = () => post('/api/redeem/initiate', { serial: gone.unsold, email: 'new@example.com' });
    expect((await ask()).body.code).toBe('ambiguous_serial');
    await remove(gone.developer);
    expect((await ask()).body.require_name).toBe(true);
  });
});

describe('a redemption at the moment of the deletion', () => {
  it('is ordered with a redemption: one after the deletion is refused, one before it is notified', async () => {
    for (const order of ['deletion first', 'redemption first']) {
      const { developer, unsold, nina } = await shop();
      const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [developer.id]);
      const acts = [
        () => remove(developer),
        () => post('/api/redeem/initiate', { serial: unsold, email: nina, dev: developer.id }),
      ];
      if (order === 'redemption first') acts.reverse();
      const answers: Promise<{ status: number; body: { code?: string } }>[] = [];
      for (const [index, act] of acts.entries()) {
        answers.push(act());
        await lock.untilWaiting(index + 1);
      }
      await lock.release();
      const [first, second] = await Promise.all(answers);
      expect(first?.status, order).toBe(200);
      if (order === 'deletion first') expect(second?.body.code).toBe('developer_gone');
      else expect(second?.status).toBe(200);
      const sold = await server.db.query('select 1 from redemptions where developer_id = $1', [developer.id]);
      expect(sold, order).toHaveLength(order === 'deletion first' ? 1 : 2);
    }
  });
});

describe('the email to customers', () => {
  it('names the developer and the serials, and what keeps working and what does not', async () => {
    const { developer, owned, product, nina } = await shop();
    await server.db.query('update customers set proven_at = now() where developer_id = $1', [developer.id]);
    await remove(developer);
    const subject = 'Row Audio has closed their account';
    const email = await server.email((each) => each.to?.[0]?.address === nina && each.subject === subject);
    for (const words of [
      'Hello Nina Simone,',
      'What you own keeps working',
      'Download your files now',
      'can no longer be redeemed',
      'refund',
      owned,
      product.name,
      `/redeem?dev=${developer.id}`,
    ]) {
      expect(email.text).toContain(words);
    }
    await allTold(developer.id);
    expect(await told(developer.id)).toEqual([nina]);
    // the name is deleted with the last email
    expect(await server.db.query('select company_name from users where id = $1', [developer.id])).toEqual([
      { company_name: null },
    ]);
  });

  it('skips customers who were erased, whose serials are revoked, or who were only imported', async () => {
    const { developer, plugin, product, nina } = await shop();
    const file = [
      'Serial,Product,First Name,Last Name,Email',
      `IMPO-RTED-0001,${product.name},Ann,Import,ann@example.com`,
      `IMPO-RTED-0002,${product.name},Bob,Import,bob@example.com`,
    ].join('\n');
    const form = new FormData();
    form.append('file', new Blob([file]), 'sales.csv');
    const imported = await call(server, 'POST', '/api/serials/import-redeemed', { token: developer.token, body: form });
    expect(imported.body.count).toBe(2);
    // with the developer's own key anybody's serial can be activated; Bob has come by himself
    for (const code of ['IMPO-RTED-0001', 'IMPO-RTED-0002'])
      expect((await plugin('activate', code, 'studio')).body.status).toBe('active');
    await call(server, 'POST', '/api/redeem/my-products', { body: { email: 'bob@example.com', dev: developer.id } });
    const link = (await server.email((each) => each.to?.[0]?.address === 'bob@example.com')).text ?? '';
    const token = /open=([\w.-]+)/.exec(link)?.[1];
    const opened = await call(server, 'POST', '/api/redeem/my-products/open', { body: { token } });
    expect(opened.status, opened.text).toBe(200);
    const more = (await makeSerials(server, developer.token, product.id, { quantity: 2 })).map(({ code }) => code);
    await redeem(server, more[0] as string, 'revoked@example.com', developer.id);
    await redeem(server, more[1] as string, 'erased@example.com', developer.id);
    await server.db.query('update serials set revoked_at = now() where code = $1', [more[0]]);
    const [erased] = await server.db.query(
      "select id from customers where developer_id = $1 and email_key = 'erased@example.com'",
      [developer.id],
    );
    await call(server, 'DELETE', `/api/customers/${erased?.id}`, { token: developer.token });
    await remove(developer);
    await allTold(developer.id);
    expect(await told(developer.id)).toEqual(['bob@example.com', nina].sort());
  });

  it('goes to those alone who redeemed here, when the developer’s address was never verified', async () => {
    const { developer, plugin, product, nina } = await shop(await signUp(server));
    const file = `Serial,Product,First Name,Last Name,Email\nIMPO-RTED-0003,${product.name},Cid,Import,cid@example.com`;
    const form = new FormData();
    form.append('file', new Blob([file]), 'sales.csv');
    await call(server, 'POST', '/api/serials/import-redeemed', { token: developer.token, body: form });
    await plugin('activate', 'IMPO-RTED-0003', 'studio');
    await remove(developer);
    await allTold(developer.id);
    expect(await told(developer.id)).toEqual([nina]);
  });

  it('is sent in batches, once to each, even when the job runs twice at once', async () => {
    const { developer, nina, product } = await shop();
    const batch = await server.db.query('select id from batches where product_id = $1', [product.id]);
    await server.db.query(
      `with people as (
         insert into customers (id, developer_id, email, email_key, created_at, last_login_at)
         select gen_random_uuid(), $1, 'fan' || n || '@example.com', 'fan' || n || '@example.com', now() - n % 3 * interval '1 hour', now()
         from generate_series(1, 1202) n returning id, email
       ), owned as (
         insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at)
         select gen_random_uuid(), $1, $2, 'FAN-' || email, 'FAN' || email, id, now() from people returning id, code, customer_id
       ) insert into redemptions (id, developer_id, serial_id, code, product_id, customer_id, redeemed_at, source, final_price_cents)
         select gen_random_uuid(), $1, id, code, $3, customer_id, now(), 'redeem', 0 from owned`,
      [developer.id, batch[0]?.id, product.id],
    );
    const other = await startServer({ db: server.db });
    // until both processes are in the first batch
    const lock = await lockWith(server.db, 'lock table batches in access exclusive mode');
    await remove(developer);
    await lock.untilWaiting(1);
    await queueJob(server.db, 'account-closed', { developerId: developer.id });
    await lock.untilWaiting(2);
    await lock.release();
    await allTold(developer.id);
    const recipients = await told(developer.id);
    expect(recipients).toHaveLength(1203);
    expect(new Set(recipients).size).toBe(1203);
    expect(recipients).toContain(nina);
    // an email that a person waits for is not queued behind all of these
    const priorities = await server.db.query(
      `select distinct priority from pgboss.job where name = 'mail' and data->>'subject' like '%closed their account'`,
    );
    expect(priorities).toEqual([{ priority: 0 }]);
    const prompt = await server.db.query(
      "select distinct priority from pgboss.job where data->>'subject' = 'Your account was deleted'",
    );
    expect(prompt).toEqual([{ priority: 10 }]);
    await other.stop();
  }, 60_000);

  it('is none when a reseller deletes the account', async () => {
    const rae = await signUp(server, 'reseller');
    expect((await remove(rae)).status).toBe(200);
    expect(await server.db.query('select 1 from account_closings where developer_id = $1', [rae.id])).toEqual([]);
  });
});

describe('deleting the account of either partner', () => {
  it.each(['developer', 'reseller'] as const)(
    'ends the partnership when the %s does it, and keeps its row',
    async (role) => {
      const [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
      const { invitedId, respond } = inviteCalls(() => ({ server, ada, rae }));
      await respond(rae, await invitedId({ email: rae.email, commission_rate: 12.5 }));
      expect((await remove(role === 'developer' ? ada : rae)).status).toBe(200);
      expect(
        await server.db.query(
          `select reseller_id, name, commission_bps, status, ended_at is not null as has_end from partnerships
         where developer_id = $1`,
          [ada.id],
        ),
      ).toEqual([{ reseller_id: rae.id, name: 'Row Audio', commission_bps: 1250, status: 'ended', has_end: true }]);
    },
  );

  it.each(['developer', 'reseller'] as const)(
    'is refused to the %s while a statement is unpaid, unless they insist',
    async (role) => {
      const { developer, reseller, partnershipId } = await makePartners(server);
      const payout = await plantPayout(server.db, developer.id);
      await server.db.query('alter table payouts disable trigger payouts_frozen');
      await server.db.query('update payouts set partnership_id = $2 where id = $1', [payout.id, partnershipId]);
      await server.db.query('alter table payouts enable trigger payouts_frozen');
      const person = role === 'developer' ? developer : reseller;
      const attempt = (body: object = {}) =>
        call(server, 'DELETE', '/api/account/delete', { token: person.token, body: { password: PASSWORD, ...body } });
      const refused = await attempt();
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        409,
        'unpaid_statements',
        '1 payout statement is unpaid. Settle it first.',
      ]);
      expect((await call(server, 'GET', '/api/auth/me', { token: person.token })).status).toBe(200);
      expect((await attempt({ unpaid: true })).status).toBe(200);
      const [kept] = await server.db.query('select status from payouts where id = $1', [payout.id]);
      expect(kept).toEqual({ status: 'pending' });
    },
  );
});
