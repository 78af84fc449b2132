import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import {
  type Answer,
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { plantPayout } from '@tonerow/test-support/payouts.ts';
import { plantSeller } from '@tonerow/test-support/sellers.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTable, actors } from './access-table.ts';
import { ABSENT, documentedRoutes, type Route } from './documented-routes.ts';
import { emailTable } from './email-table.ts';

const SOURCES = path.resolve('packages/server/src');
const COMPOSER = 'platform/email/compose-email.ts';

/** The names of the functions that compose an email, one for each place. */
function composersIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
  const starts = [...code.matchAll(/\bfunction (\w+)|^ {2}(?:async )?(#\w+)\(/gm)];
  return [...code.matchAll(/\bcomposeEmail\(/g)].map(
    ({ index }) =>
      starts
        .findLast((start) => start.index < index)
        ?.slice(1)
        .find(Boolean) ?? 'nowhere',
  );
}

const sources: { file: string; source: string }[] = [];
beforeAll(async () => {
  for await (const file of glob('**/*.ts', { cwd: SOURCES }))
    if (!file.endsWith('.test.ts')) sources.push({ file, source: readFileSync(path.join(SOURCES, file), 'utf8') });
});

describe('the table of emails', () => {
  it('has each that is composed anywhere, and no other', () => {
    const found = sources.flatMap(({ file, source }) => (file === COMPOSER ? [] : composersIn(source)));
    expect([...new Set(found)].sort()).toEqual(Object.keys(emailTable).sort());
    // only the composer makes the two parts of an email that is sent
    const others = sources.filter(({ file, source }) => file !== COMPOSER && /\breturn \{\s+to: /.test(source));
    expect(others.map(({ file }) => file)).toEqual([]);
  });

  it('finds a new email by the function that makes it', () => {
    const planted = 'export function plantedEmail(to: string) {\n  return composeEmail({ to });\n}\n';
    expect(composersIn(planted)).toEqual(['plantedEmail']);
    expect(composersIn('class A {\n  async #tell() {\n    queue(composeEmail({}));\n  }\n}')).toEqual(['#tell']);
  });

  it('names operations and limits that exist, and what bounds an email without any', () => {
    const policies = new Set(
      sources.flatMap(({ source }) => [...source.matchAll(/^ {2}(\w+): \{ points: /gm)].map((match) => match[1])),
    );
    for (const [email, { by, limits, because, words }] of Object.entries(emailTable)) {
      const unknown = [
        ...by.filter((cause) => !cause.includes(':') && cause !== 'by redemption' && !accessTable[cause]),
        ...limits.filter((limit) => !policies.has(limit)),
      ];
      expect([email, unknown]).toEqual([email, []]);
      expect([email, limits.length > 0 || !!because, words !== '', by.length > 0]).toEqual([email, true, true, true]);
    }
  });
});

/**
 * An act of an account that emails somebody else, and its result once that person has had the day's emails of the
 * account.
 */
interface Act {
  run(): Promise<Answer>;
  emails: number;
  full: 'refused' | 'no email' | 'emailed';
  /** Limits beside those of all. */
  also?: string[];
}

/** Needs no verified address: what is changed of a reseller without an account reaches nobody, and who has partners is verified. */
const ALSO_UNVERIFIED = ['changeReseller', 'generateSerials', 'deleteAccount'];

let server: TestServer;
let routes: Route[];
let ada: Person;
let rae: Person;
let rita: Person;
let partnershipId: string;
let acts: Record<string, Act>;

const ask = (person: Person, method: string, to: string, body: object = {}) =>
  call(server, method, to, { token: person.token, body });

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  routes = await documentedRoutes(server);
  [ada, rae, rita] = [
    await signUpVerified(server),
    await signUpVerified(server, 'reseller'),
    await signUpVerified(server, 'reseller'),
  ];
  partnershipId = await connectPartners(server, ada, rae);
  const product = await makeProduct(server, ada.token);
  const serials = await makeSerials(server, ada.token, product.id, { quantity: 3 });
  for (const [n, { code }] of serials.entries()) await redeem(server, code, `owner-${n}@example.com`, ada.id);
  const { customers } = (await call(server, 'GET', '/api/customers/list?search=owner-0', { token: ada.token })).body;
  const { id: payoutId } = await plantPayout(server.db, ada.id);
  await plantSeller(server.db, rita.id, ada.id);
  await server.db.query("update partnerships set reseller_id = $2, status = 'active' where id = $1", [
    payoutId,
    rita.id,
  ]);
  let n = 0;
  const fresh = () => `fresh-${++n}@example.com`;
  const reseller = (step: string, method = 'POST') =>
    ask(ada, method, `/api/reseller/developer/resellers/${partnershipId}${step}`);
  const payout = (person: Person, verb: string, body: object = {}) =>
    ask(person, 'POST', `/api/reseller/${person === ada ? 'developer/' : ''}payouts/${payoutId}/${verb}`, body);
  const first = async (statement: string, values: unknown[] = []) =>
    (await server.db.query<{ id: string }>(statement, values))[0]?.id;
  acts = {
    changeCustomer: {
      run: () => ask(ada, 'PATCH', `/api/customers/${customers[0].id}`, { email: fresh() }),
      emails: 2,
      full: 'refused',
    },
    transferSerial: {
      run: () => ask(ada, 'POST', `/api/serials/${serials[1]?.id}/transfer`, { email: fresh() }),
      emails: 2,
      full: 'refused',
      also: ['transfer'],
    },
    resendSerialEmail: {
      run: () => ask(ada, 'POST', `/api/serials/${serials[2]?.id}/resend-email`),
      emails: 1,
      full: 'refused',
      also: ['resend_email'],
    },
    inviteResellers: {
      run: () =>
        ask(ada, 'POST', '/api/reseller/developer/invite-reseller', { email: 'shop@example.com', commission_rate: 20 }),
      emails: 1,
      full: 'refused',
      also: ['invites', 'invite_address'],
    },
    inviteDeveloper: {
      run: () => ask(rae, 'POST', '/api/reseller/invite-developer', { email: 'maker@example.com' }),
      emails: 1,
      full: 'refused',
      also: ['invites', 'invite_address'],
    },
    resendInvite: {
      async run() {
        const id = await first(
          "update invites set sent_at = (sent_at at time zone 'UTC' - interval '2 days') at time zone 'UTC' where email = 'shop@example.com' returning id",
        );
        return ask(ada, 'POST', `/api/reseller/invites/${id}/resend`);
      },
      emails: 1,
      full: 'refused',
      also: ['invites', 'invite_address'],
    },
    messageReseller: {
      run: () => ask(ada, 'POST', `/api/reseller/developer/resellers/${partnershipId}/message`, { message: 'Hello' }),
      emails: 1,
      full: 'refused',
      also: ['partner_message', 'partner_messages'],
    },
    changeReseller: {
      run: () => ask(ada, 'PATCH', `/api/reseller/developer/resellers/${partnershipId}`, { commission_rate: 30 + ++n }),
      emails: 1,
      full: 'no email',
    },
    pauseReseller: { run: () => reseller('/pause'), emails: 1, full: 'no email' },
    resumeReseller: { run: () => reseller('/resume'), emails: 1, full: 'no email' },
    mergeReseller: {
      async run() {
        const new_reseller_name = `Shop ${++n}`;
        await makeSerials(server, ada.token, product.id, { quantity: 1, new_reseller_name });
        const id = await first('select id from partnerships where developer_id = $1 and name = $2', [
          ada.id,
          new_reseller_name,
        ]);
        return ask(ada, 'POST', `/api/reseller/developer/resellers/${id}/merge`, {
          into: partnershipId,
          dry_run: false,
        });
      },
      emails: 1,
      full: 'no email',
    },
    sellSerial: {
      async run() {
        await makeSerials(server, ada.token, product.id, { quantity: 2, reseller_id: partnershipId });
        const sale = { product_id: product.id, reference: `sale-${++n}`, email: 'buyer@example.com' };
        return ask(rae, 'POST', '/api/reseller/serials/sell', sale);
      },
      emails: 1,
      full: 'refused',
    },
    emailHandSale: {
      async run() {
        const id = await first(
          'select reference as id from draws where reseller_id = $1 and sold_for_cents is not null limit 1',
          [rae.id],
        );
        return ask(rae, 'POST', `/api/reseller/serials/sold/${id}/email`, { email: 'buyer@example.com' });
      },
      emails: 1,
      full: 'refused',
      also: ['sale_email'],
    },
    requestDeal: {
      run: () => ask(rae, 'POST', '/api/reseller/deal-requests', { product_id: product.id, price: 9, quantity: 5 }),
      emails: 1,
      full: 'no email',
      also: ['deal_requests'],
    },
    declineDealRequest: {
      async run() {
        const id = await first("select id from deal_requests where developer_id = $1 and status = 'pending'", [ada.id]);
        return ask(ada, 'POST', `/api/reseller/developer/deal-requests/${id}/decline`, { reason: 'Too low' });
      },
      emails: 1,
      full: 'no email',
    },
    generateSerials: {
      run: () =>
        ask(ada, 'POST', '/api/serials/generate', {
          product_id: product.id,
          quantity: 1,
          reseller_id: partnershipId,
          promo_price: 9,
        }),
      emails: 1,
      full: 'no email',
    },
    disputePayout: { run: () => payout(rita, 'dispute', { reason: 'Too much' }), emails: 1, full: 'no email' },
    answerPayoutDispute: { run: () => payout(ada, 'answer', { text: 'It is right' }), emails: 1, full: 'no email' },
    confirmPayout: { run: () => payout(rita, 'confirm'), emails: 1, full: 'no email' },
    markPayoutPaid: { run: () => payout(ada, 'mark-paid'), emails: 1, full: 'no email' },
    reversePayoutPayment: {
      async run() {
        const newest = 'select max(n)::text as id from payout_payments where payout_id = $1 and reverses is null';
        return payout(ada, `payments/${await first(newest, [payoutId])}/reverse`, { reason: 'Typing error' });
      },
      emails: 1,
      full: 'no email',
    },
    endReseller: {
      async run() {
        const ended = await reseller('/end');
        await server.db.query("update partnerships set status = 'active', ended_at = null where id = $1", [
          partnershipId,
        ]);
        return ended;
      },
      emails: 1,
      full: 'emailed',
    },
  };
}, 120_000);
afterAll(() => server.stop());

const emailed = async () => (await server.db.query('select 1 from mails where kind <> $1', ['test'])).length;
/** Deals and invitations are emailed by a job. */
const jobsDone = () =>
  expect
    .poll(
      () =>
        server.db.query(
          "select name from pgboss.job where name in ('deal-notice', 'invite-notice') and state in ('created', 'retry', 'active')",
        ),
      { timeout: 20_000 },
    )
    .toEqual([]);
/** The counts so far, by the names of the policies. */
async function counted(): Promise<Record<string, number>> {
  const rows = await server.db.query<{ policy: string; n: number }>(
    "select split_part(key, ':', 1) as policy, sum(points)::int as n from rate_limits group by 1",
  );
  return Object.fromEntries(rows.map(({ policy, n }) => [policy, n]));
}
const succeeded = ({ status }: Answer) => status >= 200 && status < 300;

describe('what an account has others emailed about', () => {
  it('is all tried below', () => {
    const causes = Object.values(emailTable).flatMap(({ by, limits }) =>
      limits.includes('caused_recipient') ? by : [],
    );
    const operations = causes.filter((cause) => accessTable[cause]?.[0] === 401);
    // announcing and closing reach many at once, and are counted by their own rules
    const tried = [...Object.keys(acts), 'announceFileVersion', 'deleteAccount'];
    expect([...new Set(operations)].filter((cause) => !tried.includes(cause))).toEqual([]);
    for (const [operation, { also = [] }] of Object.entries(acts)) {
      const declared = Object.values(emailTable).flatMap(({ by, limits }) => (by.includes(operation) ? limits : []));
      expect([operation, also.filter((limit) => !declared.includes(limit))]).toEqual([operation, []]);
    }
  });

  it('needs a verified address', async () => {
    const people = { developer: await signUp(server), reseller: await signUp(server, 'reseller') };
    const operations = [...Object.keys(acts), 'announceFileVersion'].filter((id) => !ALSO_UNVERIFIED.includes(id));
    for (const id of operations) {
      const { method, path: to } = routes.find((route) => route.id === id) as Route;
      const isResellers = accessTable[id]?.[actors.indexOf('developer')] === 403;
      const person = isResellers ? people.reseller : people.developer;
      const { status, body } = await ask(person, method, to.replace(/\{\w+\}/g, ABSENT));
      expect([id, status, body.code]).toEqual([id, 403, 'email_unverified']);
    }
  });

  it('is counted by its recipient and by the account, besides its own limits', async () => {
    for (const [operation, { run, emails, also = [] }] of Object.entries(acts)) {
      await jobsDone();
      const [before, emailedBefore] = [await counted(), await emailed()];
      const answer = await run();
      expect([operation, succeeded(answer), answer.text]).toEqual([operation, true, answer.text]);
      await jobsDone();
      const after = await counted();
      const grew = (policy: string) => (after[policy] ?? 0) - (before[policy] ?? 0);
      expect([operation, (await emailed()) - emailedBefore]).toEqual([operation, emails]);
      expect([operation, grew('caused_recipient'), grew('caused_emails')]).toEqual([operation, emails, emails]);
      expect([operation, also.filter((policy) => grew(policy) < 1)]).toEqual([operation, []]);
    }
  }, 60_000);

  it('is refused, or happens without an email, once the recipient has had ten of a day', async () => {
    await server.db.query("update rate_limits set points = 10 where key like 'caused_recipient:%'");
    for (const [operation, { run, full }] of Object.entries(acts)) {
      await jobsDone();
      const emailedBefore = await emailed();
      const answer = await run();
      expect([operation, full === 'refused' ? answer.status : succeeded(answer), answer.text]).toEqual([
        operation,
        full === 'refused' ? 429 : true,
        answer.text,
      ]);
      await jobsDone();
      expect([operation, (await emailed()) - emailedBefore]).toEqual([operation, full === 'emailed' ? 1 : 0]);
    }
  }, 60_000);

  it('is refused, or happens without an email, once the account has caused 300 of a day, to whomever', async () => {
    const eve = await signUpVerified(server);
    const product = await makeProduct(server, eve.token);
    const [serial] = await makeSerials(server, eve.token, product.id);
    await redeem(server, serial?.code as string, 'first@example.com', eve.id);
    const resend = () => ask(eve, 'POST', `/api/serials/${serial?.id}/resend-email`);
    const keys = async () =>
      (await server.db.query<{ key: string }>("select key from rate_limits where key like 'caused_emails:%'")).map(
        ({ key }) => key,
      );
    const known = await keys();
    expect((await resend()).status).toBe(200);
    const [own] = (await keys()).filter((key) => !known.includes(key));
    await server.db.query('update rate_limits set points = 300 where key = $1', [own]);
    const invited = await ask(eve, 'POST', '/api/reseller/developer/invite-reseller', { email: 'else@example.com' });
    expect([invited.status, invited.headers.get('ratelimit-policy')]).toEqual([429, '"caused_emails";q=300;w=86400']);
  });
});
