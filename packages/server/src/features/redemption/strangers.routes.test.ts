import { randomUUID } from 'node:crypto';
import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { importCalls } from '@tonerow/test-support/import-calls.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import type { Email } from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';

// A developer sells nothing here, and has a product, codes and a list of strangers.

/** Everything that a sender can type. */
const WORDS = /Cheap|Watch|watches|Lookhere|BUYNOW|PILL/i;

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

interface Shop {
  eve: Person;
  product: { id: string; name: string };
  serials: { id: string; code: string }[];
}

async function shop(): Promise<Shop> {
  const eve = await signUpVerified(server);
  await server.db.query(
    `update users set company_name = 'Cheap Watches', support_email = 'pills@example.com', support_url = 'https://watches.example', logo_url = 'https://watches.example/logo.png' where id = $1`,
    [eve.id],
  );
  const product = await makeProduct(server, eve.token, {
    name: `Watch sale ${randomUUID()}`,
    image_url: 'https://watches.example/now.png',
    file_urls: [{ name: 'BUYNOW', url: 'https://watches.example/now.zip' }],
  });
  return { eve, product, serials: await makeSerials(server, eve.token, product.id, { quantity: 4, prefix: 'PILL' }) };
}

const stranger = () => `stranger-${randomUUID()}@example.com`;
const ask = (person: Person, method: string, path: string, body: object = {}) =>
  call(server, method, path, { token: person.token, body });
const emailTo = (to: string, fits: (email: Email) => boolean = () => true) =>
  server.email((email) => email.to?.[0]?.address === to && fits(email));
const sentTo = async ({ eve }: Shop, to: string, kind: string) =>
  server.db.query<{ subject: string }>(
    'select subject from mails where developer_id = $1 and recipient = $2 and kind = $3 order by id',
    [eve.id, to, kind],
  );

/** The visible text of an email, and its links; a link to the page names the reader's own address. */
function seenOf({ subject, from, replyTo, text, html }: Email): string {
  return JSON.stringify([subject, from, replyTo, text, html]);
}

function expectNeutral(email: Email, { eve }: Shop): void {
  expect(seenOf(email)).not.toMatch(WORDS);
  expect(email.from?.name).not.toBe('Cheap Watches');
  expect(email.text).toContain(`The maker’s email address is ${eve.email}.`);
}

/** As the page does it with the link of an email. */
async function follow(email: Email): Promise<string[]> {
  const opens = new URLSearchParams(/redeem\?\S*#(\S+)/.exec(email.text ?? '')?.[1]);
  const opened = await call(server, 'POST', '/api/redeem/products', {
    body: { download_token: opens.get('downloads') },
  });
  expect(opened.status, opened.text).toBe(200);
  return opened.body.products.map((card: { serial_code: string }) => card.serial_code);
}

async function importOwner({ eve, product }: Shop, email: string): Promise<string> {
  const { send } = importCalls(() => ({ server, ada: eve }));
  const line = `BUYNOW-${randomUUID()},${product.name},Lookhere,Watches,${email},10,2026-01-05`;
  const sent = await send('redeemed', `Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date\n${line}\n`);
  expect(sent.body, sent.text).toMatchObject({ count: 1, rejected: 0 });
  const [row] = await server.db.query<{ id: string }>(
    `select s.id from serials s join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
     where s.developer_id = $1 and c.email = $2`,
    [eve.id, email],
  );
  return row?.id as string;
}

describe('a stranger reads nothing that a developer typed', () => {
  it('when a serial is moved to them, and from them', async () => {
    const scene = await shop();
    const [serial] = scene.serials;
    await redeem(server, serial?.code as string, scene.eve.email, scene.eve.id);
    const [first, second] = [stranger(), stranger()];
    const give = (email: string) =>
      ask(scene.eve, 'POST', `/api/serials/${serial?.id}/transfer`, { email, first_name: 'Lookhere' });
    expect((await give(first)).status).toBe(200);
    const given = await emailTo(first);
    expect(given.subject).toBe('A serial for an audio plugin is yours');
    expectNeutral(given, scene);
    expect((await give(second)).status).toBe(200);
    expectNeutral(await emailTo(first, (email) => /moved to another owner/.test(email.subject ?? '')), scene);
    // the right person finds it behind the link, and gets the full email from then on
    expect(await follow(await emailTo(second))).toEqual([serial?.code]);
    expect((await give(first)).status).toBe(200);
    expect((await emailTo(second, (email) => /another owner/.test(email.subject ?? ''))).text).toContain(serial?.code);
  });

  it('when their address is put into somebody’s place, and when it is taken out of it', async () => {
    const scene = await shop();
    const [serial] = scene.serials;
    const [first, second] = [stranger(), stranger()];
    await redeem(server, serial?.code as string, scene.eve.email, scene.eve.id);
    const { customers } = (await call(server, 'GET', '/api/customers/list', { token: scene.eve.token })).body;
    const put = (email: string) =>
      ask(scene.eve, 'PATCH', `/api/customers/${customers[0].id}`, {
        email,
        first_name: 'Lookhere',
        last_name: 'BUYNOW',
      });
    expect((await put(first)).status).toBe(200);
    const given = await emailTo(first);
    expectNeutral(given, scene);
    expect((await put(second)).status).toBe(200);
    const left = await emailTo(first, (email) => /was changed/.test(email.subject ?? ''));
    expectNeutral(left, scene);
    expect(left.text).not.toContain(second);
    // the link to an address that they no longer have shows what it was for, and proves nothing
    await follow(given);
    const proven = 'select proven_at from customers where developer_id = $1 and email = $2';
    expect(await server.db.query(proven, [scene.eve.id, second])).toEqual([{ proven_at: null }]);
    expect(await follow(await emailTo(second))).toEqual([serial?.code]);
    expect(await server.db.query(proven, [scene.eve.id, second])).toEqual([{ proven_at: expect.any(Date) }]);
  });

  it('when an imported serial is sent to them, or somebody asks for all their products', async () => {
    const scene = await shop();
    const email = stranger();
    const id = await importOwner(scene, email);
    expect((await ask(scene.eve, 'POST', `/api/serials/${id}/resend-email`)).status).toBe(200);
    const sent = await emailTo(email);
    expectNeutral(sent, scene);
    await call(server, 'POST', '/api/redeem/my-products', { body: { email, dev: scene.eve.id } });
    const mine = await emailTo(email, (email) => /open=/.test(email.text ?? ''));
    expect(seenOf(mine)).not.toMatch(WORDS);
    expect(await follow(sent)).toHaveLength(1);
    // from then on they are a customer like any other
    await ask(scene.eve, 'POST', `/api/serials/${id}/resend-email`);
    expect(
      (await emailTo(email, (email) => /is yours$/.test(email.subject ?? '') && WORDS.test(email.subject ?? ''))).text,
    ).toContain('BUYNOW');
  });
});

describe('redeeming serials in strangers’ names makes no audience of them', () => {
  const record = async ({ eve, product }: Shop, name: string) => {
    await ask(eve, 'PUT', `/api/products/${product.id}`, {
      file_urls: [{ name: 'BUYNOW', url: `https://watches.example/${name}.zip` }],
    });
    const made = await ask(eve, 'POST', `/api/products/${product.id}/file-versions`, { name });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const announce = async ({ eve, product }: Shop, name: string) => {
    const id = await record({ eve, product, serials: [] }, name);
    await server.db.query(
      "update version_emails set started_at = (started_at at time zone 'UTC' - interval '2 days') at time zone 'UTC' where developer_id = $1",
      [eve.id],
    );
    const announced = await ask(eve, 'POST', `/api/file-versions/${id}/announce`, { note: 'Cheap watches' });
    expect(announced.status, announced.text).toBe(200);
    await expect
      .poll(() => server.db.query('select 1 from version_emails where id = $1 and ended_at is not null', [id]), {
        timeout: 20_000,
      })
      .toHaveLength(1);
    return announced.body.owners as number;
  };

  it('a new version is told in our words once a month, and in the developer’s after a link was followed', async () => {
    const scene = await shop();
    const [serial] = scene.serials;
    const victim = stranger();
    await redeem(server, serial?.code as string, victim, scene.eve.id);
    expect(await announce(scene, '2.0')).toBe(1);
    const quiet = await emailTo(victim, (email) => /new version/.test(email.subject ?? ''));
    expectNeutral(quiet, scene);
    expect(quiet.headers.map(({ key }) => key)).toContain('list-unsubscribe');
    await announce(scene, '2.1');
    await announce(scene, '2.2');
    expect(await sentTo(scene, victim, 'new_version')).toEqual([
      { subject: 'There is a new version of an audio plugin' },
    ]);
    // an honest customer gets it with a click, and is told in full from then on
    expect(await follow(quiet)).toEqual([serial?.code]);
    await announce(scene, '2.3');
    expect((await sentTo(scene, victim, 'new_version')).at(-1)?.subject).toMatch(/2\.3 is available$/);
  });

  it('whoever redeems for another has a token that opens the serial, and proves nothing about the address', async () => {
    const scene = await shop();
    const [serial] = scene.serials;
    const victim = stranger();
    const opened = await redeem(server, serial?.code as string, victim, scene.eve.id);
    const again = await call(server, 'POST', '/api/redeem/products', {
      body: { download_token: opened.body.download_token },
    });
    expect(again.body.products).toHaveLength(1);
    const proven = 'select proven_at from customers where developer_id = $1 and email = $2';
    expect(await server.db.query(proven, [scene.eve.id, victim])).toEqual([{ proven_at: null }]);
    // the receipt's own link does
    expect(await follow(await emailTo(victim))).toEqual([serial?.code]);
    expect(await server.db.query(proven, [scene.eve.id, victim])).toEqual([{ proven_at: expect.any(Date) }]);
  });

  it('a closed account is told in our words, with a link that opens what they own', async () => {
    const scene = await shop();
    const [one, two] = scene.serials;
    const [victim, customer] = [stranger(), stranger()];
    await redeem(server, one?.code as string, victim, scene.eve.id);
    await redeem(server, two?.code as string, customer, scene.eve.id);
    await follow(await emailTo(customer));
    const closed = await call(server, 'DELETE', '/api/account/delete', {
      token: scene.eve.token,
      body: { password: PASSWORD },
    });
    expect(closed.status, closed.text).toBe(200);
    const quiet = await emailTo(victim, (email) => email.subject === 'A plugin maker has closed their account');
    expect(seenOf(quiet)).not.toMatch(WORDS);
    expect(await follow(quiet)).toEqual([one?.code]);
    expect((await emailTo(customer, (email) => /has closed their account/.test(email.subject ?? ''))).subject).toBe(
      'Cheap Watches has closed their account',
    );
  });
});
