import { call, type Person, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let admin: Person;
let ada: Person;
let rae: Person;
beforeAll(async () => {
  // an announcement goes to everybody
  server = await startServer();
  [admin, ada, rae] = [await signUpVerified(server), await signUp(server), await signUp(server, 'reseller')];
  await server.db.query('update users set is_admin = true, notify_announcements = false where id = $1', [admin.id]);
});
afterAll(() => server.stop());

const send = (body: object, key?: string, token = admin.token) =>
  call(server, 'POST', '/api/admin/announcements', {
    token,
    body: { subject: 'News', body: 'First.\r\n\r\nSecond <b>\nline.', audience: 'everybody', ...body },
    headers: key ? { 'idempotency-key': key } : {},
  });
const get = (path: string, token = admin.token) => call(server, 'GET', path, { token });
const announced = (subject: string) =>
  server.db.query<{ recipient: string }>('select recipient from mails where subject = $1 order by recipient', [
    subject,
  ]);

describe('an announcement', () => {
  it('is sent to those who want it, once, however often it is submitted', async () => {
    const first = await send({ subject: 'Welcome' }, 'a-key');
    const again = await send({ subject: 'Welcome' }, 'a-key');
    expect([first.status, first.body]).toEqual([201, { id: expect.any(String), recipients: 2 }]);
    expect(again.body).toEqual(first.body);
    expect((await announced('Welcome')).map((row) => row.recipient)).toEqual([ada.email, rae.email].sort());
    const email = await server.email((each) => each.to?.[0]?.address === rae.email && each.subject === 'Welcome');
    expect(email.html).toContain('>First.</p>');
    expect(email.html).toContain('>Second &lt;b&gt;<br>line.</p>');
    expect(email.headers.map((header) => header.key)).toContain('list-unsubscribe-post');
  });

  it('goes to one side only, and is listed', async () => {
    expect((await send({ subject: 'For resellers', audience: 'resellers' })).body.recipients).toBe(1);
    expect(await announced('For resellers')).toEqual([{ recipient: rae.email }]);
    const { body } = await get('/api/admin/announcements?limit=1');
    expect(body.rows).toEqual([
      {
        id: expect.any(String),
        subject: 'For resellers',
        body: 'First.\n\nSecond <b>\nline.',
        audience: 'resellers',
        recipients: 1,
        created_at: expect.any(String),
      },
    ]);
    const next = (await get(`/api/admin/announcements?cursor=${body.next_cursor}`)).body;
    expect([next.rows[0].subject, next.next_cursor]).toEqual(['Welcome', null]);
  });

  it('reaches more people than one batch, all of them or none', async () => {
    await server.db.query(
      `insert into users (id, role, email, email_key, first_name, last_name, created_at)
       select gen_random_uuid(), 'developer', n || '@many.example', n || '@many.example', 'N', 'N', now()
       from generate_series(1, 1203) n`,
    );
    expect((await send({ subject: 'Many', audience: 'developers' })).body.recipients).toBe(1204);
    expect(new Set((await announced('Many')).map((row) => row.recipient)).size).toBe(1204);
    await server.db.query(`delete from pgboss.job where data->>'to' like '%@many.example'`);
    await server.db.query(`delete from users where email_key like '%@many.example'`);
  });

  it('is an admin’s to send, in one line and with a text', async () => {
    expect((await send({}, undefined, ada.token)).status).toBe(403);
    for (const body of [{ subject: 'a\r\nBcc: x@y.example' }, { body: ' ' }, { audience: 'all' }, { to: 'x' }]) {
      expect([body, (await send(body)).status]).toEqual([body, 400]);
    }
  });
});

describe('the email log', () => {
  it('shows the state of each email, paged and filtered by state', async () => {
    await call(server, 'POST', '/api/auth/forgot-password', { body: { email: ada.email } });
    await server.email((email) => email.subject === 'Choose a new password');
    await server.db.query(
      `insert into mails (id, kind, recipient, subject, attempts, error, created_at, failed_at)
       values (gen_random_uuid(), 'test', 'x@example.com', 'Lost', 13, '550 no', now(), now())`,
    );
    const failed = (await get('/api/admin/emails?state=failed')).body;
    expect(failed.rows).toEqual([
      {
        id: expect.any(String),
        kind: 'test',
        recipient: 'x@example.com',
        subject: 'Lost',
        attempts: 13,
        error: '550 no',
        created_at: expect.any(String),
        sent_at: null,
        failed_at: expect.any(String),
      },
    ]);
    const sent = (await get('/api/admin/emails?state=sent')).body.rows;
    expect(sent).toContainEqual(
      expect.objectContaining({ kind: 'account', recipient: ada.email, subject: 'Choose a new password', attempts: 1 }),
    );
    const all: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/api/admin/emails?limit=100&cursor=${cursor}`);
      all.push(...body.rows.map((row: { id: string }) => row.id));
      cursor = body.next_cursor;
    } while (cursor);
    const [count] = await server.db.query<{ n: number }>('select count(*)::int as n from mails');
    expect([all.length, new Set(all).size]).toEqual([count?.n, count?.n]);
    for (const wrong of ['cursor=x', 'cursor=WyJhIiwiYiJd', 'state=lost']) {
      expect((await get(`/api/admin/emails?${wrong}`)).status).toBe(400);
    }
    expect((await get('/api/admin/emails', ada.token)).status).toBe(403);
  });
});

it('a test email is sent to the caller, in the developer’s branding', async () => {
  await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { support_email: 'help@row.example' } });
  for (const person of [ada, rae]) {
    expect((await call(server, 'POST', '/api/account/test-email', { token: person.token })).status).toBe(202);
  }
  const from = async (person: Person) =>
    (
      await server.email(
        (email) => email.to?.[0]?.address === person.email && email.subject === 'Test email from Tonerow',
      )
    ).from?.name;
  expect([await from(ada), await from(rae)]).toEqual(['Row Audio', 'Tonerow']);
});
