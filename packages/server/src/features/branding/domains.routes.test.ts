import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TARGET = 'domains.tonerow.example';
const FAILED = 'Domain activation failed. Make sure DNS is pointed correctly.';
/** Host → alias; a lookup of a host with `!` fails. */
const zone = new Map<string, string>();
const asked: string[] = [];
/** Holds answers back. */
let gate: (() => Promise<void>) | undefined;
const dns = {
  async cname(host: string) {
    asked.push(host);
    await gate?.();
    const alias = zone.get(host);
    if (alias === '!') throw new Error('timeout');
    return alias ? [alias] : [];
  },
};

let server: TestServer;
let internal: string;
let count = 0;
const freshHost = () => `app${++count}.row.example`;
beforeAll(async () => {
  const port = await freePort();
  internal = `http://127.0.0.1:${port}`;
  server = await startServer({
    env: {
      TONEROW_DOMAIN_TARGET: 'Domains.Tonerow.Example.',
      TONEROW_PUBLIC_URL: 'https://my.tonerow.example/',
      TONEROW_METRICS_PORT: String(port),
    },
    overrides: { dns },
  });
});
afterAll(() => server.stop());

const set = (token: string, domain: unknown) =>
  call(server, 'POST', '/api/developer/custom-domain', { token, body: { domain } });
const remove = (token: string) => call(server, 'DELETE', '/api/developer/custom-domain', { token });
const status = async (token: string, domain: string) =>
  (await call(server, 'GET', `/api/branding/domain-status?domain=${encodeURIComponent(domain)}`, { token })).body;
const own = async (token: string) => (await call(server, 'GET', '/api/developer/branding/private', { token })).body;
const byHost = (host: string) => call(server, 'GET', `/api/branding/domain?host=${encodeURIComponent(host)}`);
const tlsAsk = async (query: string, base = internal) => (await fetch(`${base}/internal/tls/ask${query}`)).status;
async function verified(): Promise<Person & { host: string }> {
  const host = freshHost();
  zone.set(host, TARGET);
  const person = await signUpVerified(server);
  await set(person.token, host);
  return { ...person, host };
}

describe('a custom domain', () => {
  it('belongs to nobody, then is registered, then verified, then belongs to nobody again', async () => {
    const [ada, host] = [await signUpVerified(server), freshHost()];
    expect(await status(ada.token, host)).toEqual({ verified: false, registered: false });
    const first = await set(ada.token, host);
    expect([first.status, first.body]).toEqual([
      200,
      { message: FAILED, domain: host, verified: false, registered: true },
    ]);
    expect(await status(ada.token, host)).toEqual({ verified: false, registered: true });
    expect(await own(ada.token)).toMatchObject({
      custom_domain: host,
      domain_status: 'registered',
      dns_target: TARGET,
      redeem_url: `https://my.tonerow.example/redeem?dev=${ada.id}`,
    });
    expect((await byHost(host)).status).toBe(404);

    zone.set(host, 'Edge.Row.Example.');
    zone.set('edge.row.example', `${TARGET.toUpperCase()}.`);
    expect((await set(ada.token, ` ${host.toUpperCase()}. `)).body).toEqual({
      message: 'Domain activated successfully!',
      domain: host,
      verified: true,
      registered: true,
    });
    expect(await status(ada.token, `${host.toUpperCase()}.`)).toEqual({ verified: true, registered: true });
    expect((await own(ada.token)).domain_status).toBe('verified');
    expect((await byHost(`${host}:8443`)).body).toEqual(
      (await call(server, 'GET', `/api/developer/branding?dev=${ada.id}`)).body,
    );

    expect((await remove(ada.token)).status).toBe(200);
    expect(await status(ada.token, host)).toEqual({ verified: false, registered: false });
    expect(await own(ada.token)).toMatchObject({ custom_domain: null, domain_status: 'not_registered' });
    expect((await byHost(host)).status).toBe(404);
    expect((await remove(ada.token)).status).toBe(404);
  });

  it('takes the place of the one before', async () => {
    const ada = await verified();
    const next = freshHost();
    expect((await set(ada.token, next)).body).toMatchObject({ domain: next, verified: false });
    expect(await status(ada.token, ada.host)).toEqual({ verified: false, registered: false });
    expect((await byHost(ada.host)).status).toBe(404);
    expect(await tlsAsk(`?domain=${ada.host}`)).toBe(404);
  });

  it('stays verified when a recheck fails, or DNS points elsewhere for a moment', async () => {
    const ada = await verified();
    for (const record of ['!', 'elsewhere.example']) {
      zone.set(ada.host, record);
      expect((await set(ada.token, ada.host)).body).toMatchObject({ message: FAILED, verified: true });
    }
  });

  it('is not verified by a DNS that fails', async () => {
    const [ada, host] = [await signUpVerified(server), freshHost()];
    zone.set(host, '!');
    expect((await set(ada.token, host)).body).toMatchObject({ message: FAILED, verified: false, registered: true });
  });

  it('is kept in ASCII', async () => {
    const ada = await signUpVerified(server);
    zone.set('app.xn--bcher-kva.example', TARGET);
    expect((await set(ada.token, 'app.Bücher.example')).body).toMatchObject({
      domain: 'app.xn--bcher-kva.example',
      verified: true,
    });
    expect(await status(ada.token, 'app.bücher.example')).toEqual({ verified: true, registered: true });
  });

  it.each([
    '',
    'localhost',
    'app.localhost',
    'row',
    '127.0.0.1',
    '[::1]',
    'https://app.row.example',
    'app.row.example/x',
    'app.row.example:443',
    'app..row.example',
    '*.row.example',
    'app_1.row.example',
    'a'.repeat(300),
    `${'a.'.repeat(130)}example`,
    "x';drop table users;--.example",
  ])('is not %j', async (domain) => {
    const ada = await signUpVerified(server);
    const before = asked.length;
    const answer = await set(ada.token, domain);
    expect([answer.status, answer.body.message]).toEqual([400, 'Invalid domain format.']);
    expect(answer.body.errors).toEqual([{ path: 'domain', message: 'Invalid domain format.' }]);
    expect(asked.length).toBe(before);
    const asking = await call(server, 'GET', `/api/branding/domain-status?domain=${encodeURIComponent(domain)}`, {
      token: ada.token,
    });
    expect([asking.status, asking.body.message]).toEqual([400, 'Invalid domain format.']);
  });

  it.each(['my.tonerow.example', 'MY.tonerow.example.', 'x.my.tonerow.example', TARGET, `x.${TARGET}`])(
    'is never ours: %s',
    async (domain) => {
      const ada = await signUpVerified(server);
      const answer = await set(ada.token, domain);
      expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'domain']);
    },
  );

  it('requires a string, and nothing else', async () => {
    const ada = await signUpVerified(server);
    for (const body of [{}, { domain: null }, { domain: 5 }, { domain: freshHost(), verified: true }]) {
      expect((await call(server, 'POST', '/api/developer/custom-domain', { token: ada.token, body })).status).toBe(400);
    }
  });

  it('is a developer’s', async () => {
    const ben = await signUpVerified(server, 'reseller');
    expect([(await set(ben.token, freshHost())).status, (await remove(ben.token)).status]).toEqual([403, 403]);
  });
});

describe('a host of another developer', () => {
  it('cannot be taken once it is verified, and nothing about it is revealed', async () => {
    const ada = await verified();
    const ben = await signUpVerified(server);
    const before = asked.length;
    const answer = await set(ben.token, ada.host);
    expect([answer.status, answer.body.code, asked.length]).toEqual([409, 'conflict', before]);
    expect(answer.text).not.toContain(ada.id);
    expect(await status(ben.token, ada.host)).toEqual({ verified: false, registered: false });
    expect((await remove(ben.token)).status).toBe(404);
    expect((await byHost(ada.host)).body.user_id).toBe(ada.id);
  });

  it('can be proven while it is only claimed', async () => {
    const [ada, ben, host] = [await signUpVerified(server), await signUpVerified(server), freshHost()];
    await set(ada.token, host);
    zone.set(host, TARGET);
    expect((await set(ben.token, host)).body.verified).toBe(true);
    expect((await set(ada.token, host)).status).toBe(409);
    expect(await status(ada.token, host)).toEqual({ verified: false, registered: true });
  });

  it('is free again after its account is deleted', async () => {
    const ada = await verified();
    await server.db.query('update users set deleted_at = now() where id = $1', [ada.id]);
    expect(await tlsAsk(`?domain=${ada.host}`)).toBe(404);
    const ben = await signUpVerified(server);
    expect((await set(ben.token, ada.host)).body.verified).toBe(true);
  });

  it('goes to exactly one of many developers who verify it at once', async () => {
    const host = freshHost();
    zone.set(host, TARGET);
    const people = await Promise.all(Array.from({ length: 6 }, () => signUpVerified(server)));
    // DNS responds after every request has asked, so all of them have seen the host unclaimed
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    gate = () => {
      waiting += 1;
      if (waiting === people.length) all.resolve();
      return all.promise;
    };
    const answers = await Promise.all(people.map((person) => set(person.token, host)));
    gate = undefined;
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const winner = people[answers.findIndex((answer) => answer.status === 200)] as Person;
    expect((await byHost(host)).body.user_id).toBe(winner.id);
  });

  it('has no branding', async () => {
    for (const host of [
      'other.example',
      '',
      'localhost',
      '127.0.0.1',
      'my.tonerow.example',
      "x'--",
      '%',
      'ü.example',
    ]) {
      const answer = await byHost(host);
      expect([answer.status, answer.body.message]).toEqual([404, "We couldn't load branding for this domain."]);
    }
  });
});

describe('the certificate question', () => {
  it('is answered on the internal port for verified hosts only, without DNS', async () => {
    const ada = await verified();
    const waiting = freshHost();
    await set((await signUpVerified(server)).token, waiting);
    const before = asked.length;
    expect(await tlsAsk(`?domain=${ada.host}`)).toBe(200);
    expect(await tlsAsk(`?domain=${ada.host.toUpperCase()}.`)).toBe(200);
    for (const query of [
      '',
      '?',
      '?domain=',
      `?domain=${waiting}`,
      '?domain=other.example',
      '?domain=my.tonerow.example',
      `?domain=${ada.host}/x`,
      `?domain=x.${ada.host}`,
      "?domain='%20or%201=1--",
      '?domain=%00',
      '?domain=%ff%',
      `/?domain=${ada.host}`,
    ]) {
      expect(await tlsAsk(query), query).toBe(404);
    }
    expect(asked.length).toBe(before);
    expect((await fetch(`${internal}/metrics`)).status).toBe(200);
    expect((await fetch(`${internal}/internal/tls/ask?domain=${ada.host}`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${internal}//`)).status).toBe(404);
  });

  it('is not on the public port', async () => {
    const ada = await verified();
    expect(await tlsAsk(`?domain=${ada.host}`, server.url)).toBe(404);
    expect(await tlsAsk(`/?domain=${ada.host}`, server.url)).toBe(404);
  });
});
