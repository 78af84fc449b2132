import { createHmac } from 'node:crypto';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY, SECOND, TestClock } from '../clock.ts';
import { problems } from '../http/answers/problem.ts';
import type { App } from '../http/app-kit.ts';
import { systemRandom } from '../random.ts';
import { TokenMint } from '../secrets/jwt.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { Principal } from './access.ts';
import { callerOf, guard } from './guard.ts';
import { sessionToken, sessionTokens } from './session-tokens.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const TEN_YEARS = 10 * 365 * DAY;
const UNKNOWN = 'The token is unknown, expired or revoked. Sign in again.';
// long ago: by the machine's own clock, everything that is signed then is over
const clock = new TestClock('2001-03-10T12:00:00Z');
const now = () => clock.now().getTime() / SECOND;
const secretsOf = (...masters: string[]) => new Secrets(masters, systemRandom(clock));

const open: App[] = [];
afterEach(async () => {
  clock.set('2001-03-10T12:00:00Z');
  for (const app of open.splice(0)) await app.close();
});

/** A server with these secrets, the newest first. */
async function serverWith(...masters: string[]) {
  const app = Fastify() as unknown as App;
  problems(app);
  const sessionIdOf = await sessionTokens(app, { secrets: secretsOf(...masters), clock });
  const authenticate = async (_bearer: string, sessionId: () => Promise<string | null>) => {
    const id = await sessionId();
    return id === null ? null : ({ kind: 'session', credentialId: id, accountId: 'ada', scopes: null } as Principal);
  };
  guard(app, authenticate, sessionIdOf);
  app.post('/sessions/:id', { config: { access: { as: 'public' } } }, async (request) => {
    const { id } = request.params as { id: string };
    return sessionToken(app, { id, openedAt: clock.now() });
  });
  app.get('/me', { config: { access: { as: 'session' } } }, async (request) => callerOf(request).credentialId);
  open.push(app);
  return {
    signIn: async (id: string) => (await app.inject({ method: 'POST', url: `/sessions/${id}` })).body,
    /** The session that a token opens, or the status and the words of its refusal. */
    async me(token: string) {
      const answer = await app.inject({ url: '/me', headers: { authorization: `Bearer ${token}` } });
      return answer.statusCode === 200 ? answer.body : { status: answer.statusCode, ...pick(answer.json()) };
    },
  };
}

const pick = ({ code, message }: { code: string; message: string }) => ({ code, message });
const refused = { status: 401, code: 'invalid_token', message: UNKNOWN };

/** As they were signed before tokens named their key. */
const unnamed = (id: string, ...masters: string[]) =>
  new TokenMint<{ sid: string }>(secretsOf(...masters), 'session', clock).sign({ sid: id }, TEN_YEARS);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) =>
  token.split('.', 2).map((text) => JSON.parse(Buffer.from(text, 'base64url').toString())) as [
    Record<string, unknown>,
    object,
  ];

/** Signed by the session key of a secret, with any content. */
function forged(master: string, header: unknown, claims: unknown, algorithm = 'sha256'): string {
  const input = `${part(header)}.${part(claims)}`;
  const [key] = secretsOf(master).keys('jwt:session') as [Buffer];
  return `${input}.${createHmac(algorithm, key).update(input).digest('base64url')}`;
}

describe('session tokens', () => {
  it('name their session, when it was opened, and which secret signed them', async () => {
    const server = await serverWith(B, A);
    const token = await server.signIn('s1');
    expect(partsOf(token)).toEqual([
      { alg: 'HS256', typ: 'JWT', kid: secretsOf(B).fingerprints()[0] },
      { sid: 's1', iat: now(), exp: now() + TEN_YEARS / SECOND },
    ]);
    expect(await server.me(token)).toBe('s1');
  });

  it('from before they named their key are good under every configured secret, and under no other', async () => {
    const old = unnamed('s1', A);
    expect(partsOf(old)[0]).toEqual({ alg: 'HS256', typ: 'JWT' });
    for (const masters of [[A], [B, A], [C, B, A]]) expect(await (await serverWith(...masters)).me(old)).toBe('s1');
    expect(await (await serverWith(C, B)).me(old)).toEqual(refused);
  });

  it('are read by processes of the release before, which run beside this one during an upgrade', async () => {
    const token = await (await serverWith(B, A)).signIn('s1');
    expect(new TokenMint(secretsOf(B, A), 'session', clock).verify(token)).toMatchObject({ sid: 's1' });
  });

  it('outlive two rotations, and end at once with their secret', async () => {
    const byA = await (await serverWith(A)).signIn('a');
    const byB = await (await serverWith(B, A)).signIn('b');
    const all = await serverWith(C, B, A);
    const byC = await all.signIn('c');
    expect(await Promise.all([byA, byB, byC].map(all.me))).toEqual(['a', 'b', 'c']);
    const without = await serverWith(C, B);
    expect(await Promise.all([byA, byB, byC].map(without.me))).toEqual([refused, 'b', 'c']);
  });

  it('do not choose their key: one that is forgotten is good under no other name', async () => {
    const server = await serverWith(B);
    const [kidOfA, kidOfB] = secretsOf(A, B).fingerprints();
    const claims = { sid: 's1', iat: now(), exp: now() + 60 };
    const header = { alg: 'HS256', typ: 'JWT' };
    expect(await server.me(forged(B, { ...header, kid: kidOfB }, claims))).toBe('s1');
    expect(await server.me(forged(B, { ...header, kid: kidOfA }, claims))).toEqual(refused);
    expect(await server.me(forged(A, { ...header, kid: kidOfA }, claims))).toEqual(refused);
    expect(await server.me(forged(A, { ...header, kid: kidOfB }, claims))).toEqual(refused);
    expect(await server.me(forged(A, header, claims))).toEqual(refused);
  });

  it('end by the clock of the server, not of the machine', async () => {
    const server = await serverWith(A);
    const tokens = [await server.signIn('s1'), unnamed('s1', A)];
    for (const token of tokens) expect(await server.me(token)).toBe('s1');
    clock.advance(TEN_YEARS - SECOND);
    for (const token of tokens) expect(await server.me(token)).toBe('s1');
    clock.advance(2 * SECOND);
    for (const token of tokens) expect(await server.me(token)).toEqual(refused);
    // one that has never seen them, too
    const other = await serverWith(A);
    for (const token of tokens) expect(await other.me(token)).toEqual(refused);
    clock.set('2101-03-10T12:00:00Z');
    expect(await server.me(await server.signIn('s2'))).toBe('s2');
  });
});

describe('a token that is none of ours', () => {
  const header = { alg: 'HS256', typ: 'JWT' };
  const kid = secretsOf(A).fingerprints()[0];
  const claims = { sid: 's1', iat: now(), exp: now() + 60 };
  const good = forged(A, header, claims);
  const [head, body, signature] = good.split('.') as [string, string, string];
  const text = (value: string) => Buffer.from(value).toString('base64url');

  it.each<[string, string]>([
    ['is no token', 'nonsense'],
    ['has no parts', '..'],
    ['has two parts', `${head}.${body}`],
    ['has four parts', `${good}.${signature}`],
    ['has a header that is no JSON', `${text('{')}.${body}.${signature}`],
    ['has a header that is an array', forged(A, [header], claims)],
    ['has a header that is null', forged(A, null, claims)],
    ['has claims that are no JSON', `${head}.${text('{"sid":')}.${signature}`],
    ['has claims that are an array', forged(A, header, [claims])],
    ['has claims that are a text', forged(A, header, 's1')],
    ['has claims that are null', forged(A, header, null)],
    ['has other claims than were signed', `${head}.${part({ ...claims, sid: 's2' })}.${signature}`],
    ['has no signature', `${head}.${body}.`],
    ['has half a signature', `${head}.${body}.${signature.slice(0, 20)}`],
    ['has a padded signature', `${good}=`],
    ['has a signature of other characters', `${head}.${body}.${'+/'.repeat(21)}a`],
    ['is unsigned and says so', `${part({ alg: 'none', typ: 'JWT' })}.${body}.`],
    ['is unsigned, and names our key', `${part({ alg: 'none', typ: 'JWT', kid })}.${body}.`],
    ['is signed, and says that it is not', forged(A, { ...header, alg: 'none' }, claims)],
    ['is signed by a stronger hash', forged(A, { ...header, alg: 'HS512' }, claims, 'sha512')],
    ['is signed by a stronger hash, and names our key', forged(A, { ...header, alg: 'HS512', kid }, claims, 'sha512')],
    ['names another algorithm', forged(A, { ...header, alg: 'RS256' }, claims)],
    ['names no algorithm', forged(A, { typ: 'JWT' }, claims)],
    ['is of another type', forged(A, { ...header, typ: 'at+jwt' }, claims)],
    ['is of no type', forged(A, { alg: 'HS256' }, claims)],
    ['demands what we do not know', forged(A, { ...header, crit: ['b64'], b64: false }, claims)],
    ['names no key that we have', forged(A, { ...header, kid: 'x' }, claims)],
    ['names a key in no words', forged(A, { ...header, kid: '' }, claims)],
    ['names a key by a number', forged(A, { ...header, kid: 0 }, claims)],
    ['names a key by null', forged(A, { ...header, kid: null }, claims)],
    ['names a key by an object', forged(A, { ...header, kid: { toString: kid } }, claims)],
    ['names a key by several', forged(A, { ...header, kid: [kid] }, claims)],
    ['is over', forged(A, header, { ...claims, exp: now() - 1 })],
    ['never ends', forged(A, header, { sid: 's1', iat: now() })],
    ['ends at no time', forged(A, header, { ...claims, exp: 'never' })],
    ['ends at null', forged(A, header, { ...claims, exp: null })],
    ['has not begun', forged(A, header, { ...claims, nbf: now() + 60 })],
    ['names no session', forged(A, header, { iat: now(), exp: now() + 60 })],
    ['names a session by a number', forged(A, header, { ...claims, sid: 1 })],
    ['names several sessions', forged(A, header, { ...claims, sid: ['s1'] })],
    ['is for downloads', new TokenMint(secretsOf(A), 'download', clock).sign({ sid: 's1' }, DAY)],
  ])('%s: is refused in the same words', async (_what, token) => {
    const server = await serverWith(A);
    expect(await server.me(good)).toBe('s1');
    expect(await server.me(token)).toEqual(refused);
  });

  it.each([
    ['nothing', ''],
    ['two tokens', `${good} ${good}`],
    ['more than 4096 characters', 'x'.repeat(4097)],
  ])('is not even looked for in %s', async (_what, token) => {
    const server = await serverWith(A);
    const message = 'Sign in, or send an access token as a bearer credential.';
    expect(await server.me(token)).toEqual({ status: 401, code: 'unauthorized', message });
  });

  it('is not taken from anywhere but the bearer credential', async () => {
    const app = await serverWith(A);
    expect(await app.me(good)).toBe('s1');
    const [server] = open as [App];
    for (const headers of [{ cookie: `token=${good}` }, { authorization: `Basic ${good}` }, { authorization: good }]) {
      expect((await server.inject({ url: `/me?token=${good}`, headers })).statusCode).toBe(401);
    }
    expect((await server.inject({ url: '/me', headers: { authorization: `bearer   ${good}` } })).body).toBe('s1');
  });
});
