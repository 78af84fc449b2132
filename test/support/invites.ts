import { expect } from 'vitest';
import { call, PASSWORD, type Person } from './http.ts';
import type { SharedServer } from './server.ts';

interface Scene {
  server: SharedServer;
  /** A developer. */
  ada: Person;
  /** A reseller. */
  rae: Person;
}

/** The calls about invitations, as they are made in tests, and what can be seen of their effects. */
export function inviteCalls(at: () => Scene) {
  const post = (path: string, token: string, body: object = {}, headers: Record<string, string> = {}) =>
    call(at().server, 'POST', path, { token, body, headers });
  const get = (path: string, token: string) => call(at().server, 'GET', path, { token });
  const invite = (body: object, token = at().ada.token) => post('/api/reseller/developer/invite-reseller', token, body);
  const ask = (email: string, token = at().rae.token) => post('/api/reseller/invite-developer', token, { email });
  const received = async (person: Person, role = 'reseller') =>
    (await get(`/api/reseller/invites/${role}`, person.token)).body;
  const sent = async (token = at().ada.token) => (await get('/api/reseller/invites/sent', token)).body.rows;
  const respond = (person: Person, invite_id: string, response = 'accept') =>
    post('/api/reseller/invites/respond', person.token, { invite_id, response });
  const follow = (person: Person, token: string) => post('/api/reseller/invites/follow', person.token, { token });
  const resellersOf = async (person: Person) =>
    (await get('/api/reseller/developer/resellers', person.token)).body as Record<string, unknown>[];
  const invitedId = async (body: object, token = at().ada.token) => {
    const answer = await invite(body, token);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.invites[0].id as string;
  };
  const signInAgain = async (person: Person) => {
    const body = { email: person.email, password: PASSWORD };
    person.token = (await call(at().server, 'POST', '/api/auth/login', { body })).body.token;
  };
  const emailTo = (address: string, subject: string) =>
    at().server.email(
      (email) => email.to?.[0]?.address?.toLowerCase() === address && (email.subject ?? '').includes(subject),
    );
  const tokenIn = (text = '') => /\/invite\?token=(\S+)/.exec(text)?.[1] as string;
  const unknownAddress = () => `nobody-${crypto.randomUUID()}@example.com`;
  /** Emails that were queued for an address with a subject like this. */
  const emailsTo = async (address: string, subject = '%plugins') =>
    (await at().server.db.query('select 1 from mails where recipient = $1 and subject like $2', [address, subject]))
      .length;
  const noticesDone = () =>
    expect
      .poll(
        async () =>
          (
            await at().server.db.query(
              "select 1 from pgboss.job where name = 'invite-notice' and state in ('created', 'retry', 'active')",
            )
          ).length,
        { timeout: 10_000 },
      )
      .toBe(0);
  return {
    post,
    get,
    invite,
    ask,
    received,
    sent,
    respond,
    follow,
    resellersOf,
    invitedId,
    signInAgain,
    emailTo,
    tokenIn,
    unknownAddress,
    emailsTo,
    noticesDone,
  };
}
