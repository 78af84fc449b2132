import { call, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/db/open.ts';
import { createLogger } from '#platform/log.ts';
import { Account } from '../accounts.entity.ts';
import { tables } from '../tables.ts';
import { AccountSettings, type OnTimeZone } from './settings.service.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const get = (token: string) => call(server, 'GET', '/api/account/settings', { token });
const put = (token: string, body: object) => call(server, 'PUT', '/api/account/settings', { token, body });

it('and keys are changed while a long import holds the account', async () => {
  const ada = await signUp(server);
  const held = `select 1 from users u left join products p on p.developer_id = $1 and p.id = $1 where u.id = $1 for key share of u`;
  const lock = await lockWith(server.db, held, [ada.id]);
  expect((await put(ada.token, { first_name: 'Augusta' })).body.first_name).toBe('Augusta');
  expect((await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).status).toBe(201);
  const body = { name: 'CI', scopes: ['serials:read'] };
  expect((await call(server, 'POST', '/api/account/tokens', { token: ada.token, body })).status).toBe(201);
  await lock.release();
});

it('start with everything on', async () => {
  const ada = await signUp(server);
  expect((await get(ada.token)).body).toEqual({
    time_zone: 'UTC',
    first_name: 'Ada',
    last_name: 'Row',
    company_name: 'Row Audio',
    website_url: null,
    support_email: null,
    support_url: null,
    business_address: null,
    tax_id: null,
    logo_url: null,
    send_customer_emails: true,
    notify_redemptions: true,
    redemption_emails: 'daily',
    notify_low_serials: true,
    notify_webhook_fail: true,
    notify_announcements: true,
    notify_inquiries: true,
    notify_deals: true,
    notify_shops: true,
    low_serials_threshold: 10,
    reminder_threshold: 0,
  });
});

it('change where they are named, and stay where they are not', async () => {
  const ada = await signUp(server);
  const before = (await get(ada.token)).body;
  const changes = {
    time_zone: 'America/New_York',
    first_name: ' Augusta ',
    website_url: 'https://row.example',
    support_email: 'help@row.example',
    logo_url: 'https://row.example/logo.png',
    notify_deals: false,
    low_serials_threshold: 0,
    reminder_threshold: 12.5,
  };
  const answer = await put(ada.token, changes);
  expect([answer.status, answer.body]).toEqual([200, { ...before, ...changes, first_name: 'Augusta' }]);
  expect((await put(ada.token, {})).body).toEqual(answer.body);
  const emptied = await put(ada.token, { website_url: null, support_email: '', company_name: ' ', logo_url: '' });
  expect(emptied.body).toEqual({
    ...answer.body,
    website_url: null,
    support_email: null,
    company_name: null,
    logo_url: null,
  });
  expect((await get(ada.token)).body).toEqual(emptied.body);
  expect((await call(server, 'GET', '/api/auth/me', { token: ada.token })).body).toMatchObject({
    first_name: 'Augusta',
    time_zone: 'America/New_York',
  });
});

it('are not visible to other accounts', async () => {
  const [ada, ben] = [await signUp(server), await signUp(server, 'reseller')];
  await put(ada.token, { first_name: 'Changed', notify_inquiries: false });
  expect((await get(ben.token)).body).toMatchObject({ first_name: 'Ada', notify_inquiries: true });
});

it.each([
  [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
  [{ time_zone: '+02:00' }, 'time_zone'],
  [{ time_zone: '' }, 'time_zone'],
  [{ time_zone: null }, 'time_zone'],
  [{ first_name: ' ' }, 'first_name'],
  [{ last_name: null }, 'last_name'],
  [{ website_url: 'javascript:alert(1)' }, 'website_url'],
  [{ support_email: 'nobody' }, 'support_email'],
  [{ support_url: 'ftp://row.example' }, 'support_url'],
  [{ logo_url: 'row.example/logo.png' }, 'logo_url'],
  [{ logo_url: '/media/images/../../etc/passwd' }, 'logo_url'],
  [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
  [{ logo_url: 'data:image/png;base64,AA==' }, 'logo_url'],
  [{ notify_deals: 'yes' }, 'notify_deals'],
  [{ low_serials_threshold: -1 }, 'low_serials_threshold'],
  [{ reminder_threshold: -1 }, 'reminder_threshold'],
  [{ reminder_threshold: 0.001 }, 'reminder_threshold'],
  [{ reminder_threshold: 1_000_001 }, 'reminder_threshold'],
  [{ low_serials_threshold: 1_000_001 }, 'low_serials_threshold'],
  [{ low_serials_threshold: 1.5 }, 'low_serials_threshold'],
  [{ is_admin: true }, 'is_admin'],
  [{ email: 'new@example.com' }, 'email'],
])('refuse %j at its field, and change nothing', async (change, path) => {
  const ada = await signUp(server);
  const answer = await put(ada.token, { first_name: 'Changed', ...change });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
  expect((await get(ada.token)).body.first_name).toBe('Ada');
});

it('take an uploaded image’s path as a logo', async () => {
  const ada = await signUp(server);
  const logo_url = '/media/images/0190a1b2-0000-7000-8000-000000000000.webp';
  expect((await put(ada.token, { logo_url })).body.logo_url).toBe(logo_url);
});

it('keep a reseller’s company name', async () => {
  const ben = await signUp(server, 'reseller');
  expect((await put(ben.token, { company_name: null })).body).toMatchObject({ errors: [{ path: 'company_name' }] });
  expect((await put(ben.token, { company_name: 'Ben & Co' })).body.company_name).toBe('Ben & Co');
});

describe('a reseller’s settings', () => {
  const path = '/api/reseller/settings';
  const change = (token: string, body: object) => call(server, 'PUT', `${path}/update`, { token, body });

  it('are the same settings, without those that only developers have', async () => {
    const ben = await signUp(server, 'reseller');
    const changes = {
      logo_url: '/media/images/0190a1b2-0000-7000-8000-000000000000.webp',
      support_email: 'help@shop.example',
      support_url: 'https://shop.example/help',
      business_address: '1 Main Street, Ann Arbor',
      tax_id: 'MI-12345',
      time_zone: 'America/Detroit',
      notify_redemptions: false,
      notify_webhook_fail: false,
      notify_announcements: false,
      notify_inquiries: false,
      notify_deals: false,
      notify_shops: false,
    };
    const answer = await change(ben.token, changes);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(changes)]);
    const seen = (await call(server, 'GET', path, { token: ben.token })).body;
    expect(seen).toEqual(answer.body);
    expect(Object.keys(seen)).not.toContain('send_customer_emails');
    expect((await get(ben.token)).body).toMatchObject(changes);
    expect((await change(ben.token, { tax_id: '' })).body).toMatchObject({ ...changes, tax_id: null });
  });

  it.each([
    [{ low_serials_threshold: 3 }, 'low_serials_threshold'],
    [{ reminder_threshold: 3 }, 'reminder_threshold'],
    [{ support_email: 'nobody' }, 'support_email'],
    [{ company_name: '' }, 'company_name'],
    [{ company_name: 'Two\nlines' }, 'company_name'],
    [{ website_url: 'https://exam\nple.com' }, 'website_url'],
    [{ business_address: 'x'.repeat(501) }, 'business_address'],
  ])('refuse %j at its field', async (body, field) => {
    const ben = await signUp(server, 'reseller');
    const answer = await change(ben.token, body);
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ path: field })]]);
  });
});

it('normalize a time zone’s name, and every accepted zone exists in the database', async () => {
  const ada = await signUp(server);
  expect((await put(ada.token, { time_zone: 'europe/berlin' })).body.time_zone).toBe('Europe/Berlin');
  expect((await put(ada.token, { time_zone: 'Asia/Kolkata' })).body.time_zone).toBe('Asia/Kolkata');
  const zones = Intl.supportedValuesOf('timeZone');
  await server.db.query('select now() at time zone zone from unnest($1::text[]) zone', [zones]);
});

it('are read with an access token, and changed by a person only', async () => {
  const ada = await signUp(server);
  const made = await call(server, 'POST', '/api/account/tokens', {
    token: ada.token,
    body: { name: 'CI', scopes: ['account:read'] },
  });
  expect((await get(made.body.token)).status).toBe(200);
  expect((await put(made.body.token, { first_name: 'Script' })).status).toBe(403);
});

it('hand a changed time zone on in their own transaction, and only a changed one', async () => {
  const ada = await signUp(server);
  const log = createLogger('silent');
  const sizes = { api: 2, licensing: 1, bulk: 1 };
  const { db } = openDatabase({ url: server.db.url, sizes, log, entities: [Account], migrationsFolder: 'migrations' });
  const told: unknown[] = [];
  let fails = false;
  const onTimeZone: OnTimeZone = async (sql, accountId, timeZone) => {
    const [row] = await sql.query<{ time_zone: string }>('select time_zone from users where id = $1', [accountId]);
    told.push([accountId, timeZone, row?.time_zone]);
    if (fails) throw new Error('no');
  };
  const settings = new AccountSettings({
    db: tables.of(db),
    clock: systemClock,
    onTimeZone: { developer: onTimeZone },
  });
  const caller = { accountId: ada.id } as Parameters<typeof settings.update>[0];
  try {
    await settings.update(caller, { first_name: 'Augusta', time_zone: 'UTC' });
    expect(told).toEqual([]);
    await settings.update(caller, { time_zone: 'Asia/Tokyo' });
    expect(told).toEqual([[ada.id, 'Asia/Tokyo', 'Asia/Tokyo']]);
    fails = true;
    await expect(settings.update(caller, { time_zone: 'Europe/Paris', first_name: 'Lost' })).rejects.toThrow('no');
    expect((await get(ada.token)).body).toMatchObject({ time_zone: 'Asia/Tokyo', first_name: 'Augusta' });
  } finally {
    await db.close();
  }
});
