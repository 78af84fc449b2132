import { setTimeout as pause } from 'node:timers/promises';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { queueJob, wakeWorkers } from '@tonerow/test-support/queue-job.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
});
afterAll(() => server.stop());

const settings = (body: object, token = ada.token) => call(server, 'PUT', '/api/account/settings', { token, body });
const emailsTo = (recipient: string, at = server) =>
  at.db.query<{
    id: string;
    kind: string;
    developer_id: string;
    sent_at: Date | null;
    failed_at: Date | null;
    attempts: number;
    error: string;
  }>('select * from mails where recipient = $1 order by id', [recipient]);
const to = (address: string) => (email: Email) => email.to?.[0]?.address === address;
async function oneSerial(fields: object = {}, at = server, token = ada.token): Promise<string> {
  const product = await makeProduct(at, token, fields);
  return (await makeSerials(at, token, product.id, { quantity: 1 }))[0]?.code as string;
}

describe('after a redemption the customer', () => {
  it('gets an email from the developer, with product, serial, page and support', async () => {
    await settings({ support_email: 'help@row.example', support_url: 'https://row.example/help' });
    const code = await oneSerial({ name: 'Delay <b>מתופף</b> 🎛️' });
    await redeem(server, code, 'nina@example.com');
    const email = await server.email(to('nina@example.com'));
    expect(email).toMatchObject({
      subject: 'Delay <b>מתופף</b> 🎛️ is yours',
      from: { name: 'Row Audio', address: 'no-reply@localhost' },
      replyTo: [{ address: 'help@row.example' }],
    });
    expect(email.text).toContain('Hello Nina Simone,');
    expect(email.text).toContain(code);
    expect(email.text).toContain(`/redeem?dev=${ada.id}`);
    expect(email.text).toContain('https://row.example/help');
    expect(email.html).not.toContain('<b>');
    // a receipt is sent regardless of any preference
    expect(email.headers.map((header) => header.key)).not.toContain('list-unsubscribe');
    const [row] = await emailsTo('nina@example.com');
    expect(row).toMatchObject({ kind: 'redemption', developer_id: ada.id });
    expect(email.messageId).toBe(`<${row?.id}@localhost>`);
  });

  it('gets a link to the developer’s own domain once it is verified', async () => {
    await server.db.query(
      `insert into custom_domains (id, developer_id, host, created_at, verified_at)
       values (gen_random_uuid(), $1, 'app.row.example', now(), now())`,
      [ada.id],
    );
    await redeem(server, await oneSerial(), 'domain@example.com', ada.id);
    expect((await server.email(to('domain@example.com'))).text).toContain('https://app.row.example/redeem#downloads=');
    await server.db.query('delete from custom_domains');
  });

  it('gets a link that opens this serial at once, and fills in the form when it has expired', async () => {
    const code = await oneSerial({ name: 'Opener' });
    await redeem(server, code, 'opener@example.com');
    const link = linkOf(await server.email(to('opener@example.com')));
    const opens = new URLSearchParams(link.hash.slice(1));
    expect([opens.get('serial'), opens.get('email'), link.search]).toEqual([
      code,
      'opener@example.com',
      `?dev=${ada.id}`,
    ]);
    const answer = await call(server, 'POST', '/api/redeem/products', {
      body: { download_token: opens.get('downloads') },
    });
    expect(answer.body.products.map((card: { serial_code: string }) => card.serial_code)).toEqual([code]);
  });

  it('gets the product’s image and its files with their sizes, in the language of the page', async () => {
    const file = await call(server, 'POST', '/api/files', {
      token: ada.token,
      body: { name: 'Hall 1.2 mac.pkg', size: 2_500_000 },
    });
    await server.db.query('update files set received = size, completed_at = now() where id = $1', [file.body.id]);
    const code = await oneSerial({
      name: 'Hall',
      image_url: 'https://row.example/hall.png',
      file_urls: [
        { name: 'Hall 1.2 mac.pkg', url: file.body.url },
        { name: 'Handbuch', url: 'https://row.example/handbuch.pdf' },
      ],
    });
    const first = await call(server, 'POST', '/api/redeem/initiate', {
      body: { serial: code, email: 'anna@example.com', language: 'de' },
    });
    await call(server, 'POST', '/api/redeem/complete', {
      body: { temp_token: first.body.temp_token, first_name: 'Anna', last_name: 'Magdalena', language: 'de' },
    });
    const email = await server.email(to('anna@example.com'));
    expect(email.subject).toBe('Hall gehört Ihnen');
    expect(email.text).toContain('Guten Tag Anna Magdalena,');
    expect(email.text).toContain('Dateien\nHall 1.2 mac.pkg · 2,5 MB\nHandbuch');
    expect(email.html).toContain('<html lang="de">');
    expect(email.html).toContain('<img src="https://row.example/hall.png" alt="Hall"');
    expect(linkOf(email).searchParams.get('lang')).toBe('de');
  });

  it.each([
    ['fr', '{n} est à vous'],
    ['es', '{n} ya es suyo'],
    ['ja', '{n} の登録が完了しました'],
  ])('gets later emails in the language of the last redemption: %s', async (language, subject) => {
    const email = `${language}@example.com`;
    await redeem(server, await oneSerial(), email);
    const code = await oneSerial({ name: `In ${language}` });
    await call(server, 'POST', '/api/redeem/initiate', { body: { serial: code, email, language } });
    expect(
      (await server.email((email) => email.subject === subject.replace('{n}', `In ${language}`))).to?.[0]?.address,
    ).toBe(email);
    // the plugin of another product does not know a language
    const other = await oneSerial({ name: `Plugin ${language}` });
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'L' } }))
      .body.plaintext;
    await call(server, 'POST', '/api/license/v1/activate', {
      token: key,
      body: { license_key: other, machine_id: 'a', email },
    });
    await server.email((email) => email.subject === subject.replace('{n}', `Plugin ${language}`));
  });

  it('gets nothing when the developer has disabled it, when nothing was redeemed, and when downloads are opened again', async () => {
    await settings({ send_customer_emails: false });
    const code = await oneSerial();
    await redeem(server, code, 'quiet@example.com');
    await settings({ send_customer_emails: true });
    await redeem(server, code, 'quiet@example.com');
    await call(server, 'POST', '/api/redeem/initiate', {
      body: { serial: await oneSerial(), email: 'asked@example.com' },
    });
    expect(await emailsTo('quiet@example.com')).toEqual([]);
    expect(await emailsTo('asked@example.com')).toEqual([]);
  });

  it('gets one after a first activation too, but none for a second seat', async () => {
    const code = await oneSerial();
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'K' } }))
      .body.plaintext;
    for (const machine of ['a', 'b']) {
      const answer = await call(server, 'POST', '/api/license/v1/activate', {
        token: key,
        body: { license_key: code, machine_id: machine, email: 'plugin@example.com' },
      });
      expect(answer.status).toBe(200);
    }
    expect(await emailsTo('plugin@example.com')).toHaveLength(1);
  });

  it('gets nothing for serials redeemed elsewhere and imported', async () => {
    const { name } = await makeProduct(server, ada.token);
    const form = new FormData();
    const csv = `Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Downloads,Revoked,Reseller,Country\nOLD-1,${name},A,B,imported@example.com,1,2024-01-01,,,,\n`;
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'old.csv');
    const imported = await call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
    expect(imported.body).toMatchObject({ count: 1 });
    expect(await emailsTo('imported@example.com')).toEqual([]);
  });

  it('gets only one, even from thirty requests at once', async () => {
    const code = await oneSerial();
    await redeem(server, await oneSerial(), 'crowd@example.com');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => insist(() => redeem(server, code, 'crowd@example.com'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(await emailsTo('crowd@example.com')).toHaveLength(2);
  });
});

describe('an address that has had twenty emails of a developer within a day', () => {
  it('redeems as usual; the receipt is held back, as the log shows', async () => {
    const email = 'often@example.com';
    const had = (at: string, n: number) =>
      server.db.query(
        `insert into mails (id, kind, developer_id, recipient, recipient_key, subject, created_at, sent_at)
         select ('00000000-0000-7000-8000-' || lpad(($4::int + n)::text, 12, '0'))::uuid, 'redemption', $1, $2, $2, 'x', $3, $3 from generate_series(1, 10) n`,
        [ada.id, email, at, n],
      );
    const now = clock.now().getTime();
    await had(new Date(now - 1000).toISOString(), 0);
    await had(new Date(now - 25 * 3_600_000).toISOString(), 10);
    await redeem(server, await oneSerial(), email);
    await until(async () => (await emailsTo(email)).at(-1)?.sent_at);
    await had(new Date(now - 1000).toISOString(), 20);
    const code = await oneSerial();
    const redeemed = await redeem(server, code, email);
    expect([redeemed.status, redeemed.body.products.length]).toEqual([200, 1]);
    await until(async () => (await emailsTo(email)).at(-1)?.failed_at);
    const log = await call(server, 'GET', `/api/email-log?recipient=${email}&state=failed`, { token: ada.token });
    expect(log.body.rows).toMatchObject([
      { kind: 'redemption', error: 'Held back: this address had 20 emails in your name within a day.' },
    ]);
    // another address, and another developer, have their own
    await redeem(server, await oneSerial(), 'seldom@example.com');
    await server.email(to('seldom@example.com'));
    const bob = await signUp(server);
    await redeem(server, await oneSerial({}, server, bob.token), email, bob.id);
    await until(async () => (await emailsTo(email)).at(-1)?.sent_at);
  });
});

describe('when the SMTP server is down', () => {
  it('the redemption succeeds, and the email is sent later, once', async () => {
    const port = await freePort();
    const received: Email[] = [];
    let refusing = true;
    const other = await startServer({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (address, _session, done) =>
        refusing && address.address.startsWith('late') ? done(new Error(`no <${address.address}>`)) : done(),
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk) => chunks.push(chunk));
        stream.on('end', async () => {
          received.push(await PostalMime.parse(Buffer.concat(chunks)));
          done();
        });
      },
    });
    try {
      const { token } = await signUp(other);
      const answer = await redeem(other, await oneSerial({}, other, token), 'late@example.com');
      expect([answer.status, answer.body.products.length]).toEqual([200, 1]);
      const row = async () => (await emailsTo('late@example.com', other))[0];
      const retry = async () => {
        await other.db.query(`update pgboss.job set start_after = now() where name = 'mail' and state = 'retry'`);
        await wakeWorkers(other.db, 'mail');
      };
      await until(async () => (await row())?.error?.includes('ECONNREFUSED'));

      await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve));
      await until(async () => {
        await retry();
        return (await row())?.error?.includes('no <…>');
      });
      expect(other.logged()).not.toContain('late@example.com');
      refusing = false;
      await until(async () => {
        await retry();
        return (await row())?.sent_at;
      });
      expect(await row()).toMatchObject({ error: null, failed_at: null });
      expect((await row())?.attempts).toBeGreaterThanOrEqual(3);

      // a job that runs a second time finds that the email was sent
      await other.db.query(
        `insert into pgboss.job (name, data) select name, data from pgboss.job where data->>'to' = 'late@example.com' limit 1`,
      );
      await until(async () => {
        await retry();
        const left = await other.db.query(`select 1 from pgboss.job where name = 'mail' and state <> 'completed'`);
        return left.length === 0;
      });
      const mine = received.filter(to('late@example.com'));
      expect(mine.map((email) => email.messageId)).toEqual([`<${(await row())?.id}@localhost>`]);
    } finally {
      await other.stop();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    }
  }, 60_000);
});

describe('when an email cannot be sent at all', () => {
  it('the log shows the failure after the last attempt', async () => {
    const failing = { send: () => Promise.reject(new Error('550 <x@y.example> is unknown')), close: () => undefined };
    const other = await startServer({ overrides: { mailer: failing } });
    try {
      const { token } = await signUp(other);
      await redeem(other, await oneSerial({}, other, token), 'never@example.com');
      const row = async () => (await emailsTo('never@example.com', other))[0];
      await until(async () => (await row())?.error);
      expect(await row()).toMatchObject({ error: '550 <…> is unknown', failed_at: null, sent_at: null });
      await other.db.query('update mails set attempts = 12');
      await until(async () => {
        await other.db.query(`update pgboss.job set start_after = now() where name = 'mail' and state = 'retry'`);
        await wakeWorkers(other.db, 'mail');
        return (await row())?.failed_at;
      });
    } finally {
      await other.stop();
    }
  });
});

it('recipients are deleted from the log after 30 days', async () => {
  await redeem(server, await oneSerial(), 'old@example.com');
  await server.email(to('old@example.com'));
  clock.advance(31 * DAY);
  await redeem(server, await oneSerial({}, server, (await signUp(server)).token), 'new@example.com');
  await queueJob(server.db, 'expire-records');
  await until(async () => (await emailsTo('old@example.com')).length === 0);
  expect(await emailsTo('new@example.com')).toHaveLength(1);
});

function linkOf(email: Email): URL {
  return new URL(/https?:\/\/\S+\/redeem\S*/.exec(email.text ?? '')?.[0] as string);
}

async function until(done: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await done()) return;
    await pause(50);
  }
  throw new Error('it never happened');
}

describe('the preview of the email to customers', () => {
  const preview = (query: string, token: string) =>
    call(server, 'GET', `/api/developer/branding/email${query}`, { token });

  it('is the email itself in each language, with the newest product, and sends nothing', async () => {
    const bob = await signUp(server);
    const first = await preview('', bob.token);
    expect(first.body.subject).toBe('Prism Delay is yours');
    await makeProduct(server, bob.token, { name: 'Older' });
    clock.advance(1000);
    await makeProduct(server, bob.token, {
      name: 'Newer <b>',
      file_urls: [{ name: 'macOS', url: 'https://files.example.com/newer.pkg' }],
    });
    await settings({ support_email: 'help@bob.example' }, bob.token);
    // those about an account are sent by jobs, at their own time
    const count = () => server.db.query("select count(*) as n from mails where kind <> 'account'");
    const before = await count();
    const subjects: Record<string, string> = {
      en: 'Newer <b> is yours',
      de: 'Newer <b> gehört Ihnen',
      fr: 'Newer <b> est à vous',
      es: 'Newer <b> ya es suyo',
      ja: 'Newer <b> の登録が完了しました',
    };
    for (const [language, subject] of Object.entries(subjects)) {
      const { status, body } = await preview(`?language=${language}`, bob.token);
      expect(status).toBe(200);
      expect(body.subject).toBe(subject);
      expect(body.html).toContain(`<html lang="${language}">`);
      expect(body.html).not.toContain('<b>');
      for (const part of ['K7QM-2XWN-HV9D-4RTB', 'macOS', 'help@bob.example', `lang=${language}`]) {
        expect(body.text).toContain(part);
      }
    }
    expect(await count()).toEqual(before);
    expect((await preview('?language=xx', bob.token)).status).toBe(400);
  });

  it('shows a look that is tried, saves none of it, and refuses what could not be saved', async () => {
    const bob = await signUp(server);
    await settings({ support_email: 'help@bob.example', logo_url: 'https://bob.example/logo.png' }, bob.token);
    const before = (await preview('', bob.token)).body;
    const { body } = await preview('?brand_color=%23ffe600&support_email=new@bob.example&logo_url=none', bob.token);
    expect(body.html).toContain('background:#ffe600');
    expect(body.text).toContain('new@bob.example');
    expect([before.html.includes('bob.example/logo.png'), body.html.includes('bob.example/logo.png')]).toEqual([
      true,
      false,
    ]);
    expect((await preview('', bob.token)).body).toEqual(before);
    for (const wrong of ['brand_color=red', 'support_email=x', 'logo_url=javascript:1', 'support_url=%20://'])
      expect((await preview(`?${wrong}`, bob.token)).status).toBe(400);
  });
});
