import { rm } from 'node:fs/promises';
import { startCollector } from '@tonerow/test-support/collector.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, PASSWORD, redeem, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const KIND = { server: 2, client: 3, consumer: 5 };
let db: TestDatabase;
let collector: Awaited<ReturnType<typeof startCollector>>;

beforeAll(async () => {
  db = await createTestDatabase();
  collector = await startCollector();
});
afterAll(async () => {
  await collector.stop();
  await db.drop();
});

/** Prints each module of OpenTelemetry that is loaded, as its own loader sees it. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    if (name.startsWith('@opentelemetry/')) process.stderr.write('LOADED ' + name + '\\n');
    return next(name, context);
  } });
`)}`;

async function run(env: Record<string, string>, work: (server: { url: string }) => Promise<void>): Promise<string> {
  const server = await spawnServer({
    env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET, NODE_OPTIONS: `--import=${WATCH}`, ...env },
  });
  try {
    await work(server);
  } finally {
    server.child.kill('SIGTERM');
    expect(await server.ended(), server.output()).toBe(0);
    await rm(server.dataDir, { recursive: true, force: true });
  }
  return server.output();
}

/** Creates a product, and leaves while that waits. */
async function leave({ url }: { url: string }, token: string): Promise<void> {
  const busy = await lockWith(db, 'lock table products in exclusive mode');
  const caller = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Secretverb 2', price: 1 });
  const left = fetch(`${url}/api/products`, { method: 'POST', headers, body, signal: caller.signal });
  await busy.untilWaiting(1);
  caller.abort();
  await expect(left).rejects.toThrow('aborted');
  await busy.release();
}

it('loads nothing of OpenTelemetry but the interface that the figures need, without an endpoint', async () => {
  const output = await run({}, async () => undefined);
  // by the figures, and by the log
  expect([...new Set(output.match(/LOADED \S+/g))]).toEqual(['LOADED @opentelemetry/api']);
});

it('sends spans of requests, their statements and jobs, and nothing that anybody typed', async () => {
  const typed: string[] = [PASSWORD, TEST_SECRET];
  const parent = '4bf92f3577b34da6a3ce929d0e0e4736';
  const output = await run(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=synths',
      OTEL_SERVICE_NAME: 'licenses',
      TONEROW_TRUST_PROXY: '127.0.0.1/32',
    },
    async (server) => {
      const ada = await signUp(server);
      const product = await makeProduct(server, ada.token, { name: 'Prism Secretverb' });
      const [serial, other] = await makeSerials(server, ada.token, product.id);
      const keys = '/api/developer/plugin-keys';
      const key = (await call(server, 'POST', keys, { token: ada.token, body: {} })).body.plaintext;
      await redeem(server, serial?.code as string, 'nina@simone.example');
      const activate = (body: object, headers = {}) =>
        call(server, 'POST', '/api/license/v1/activate', {
          headers: { authorization: `Bearer ${key}`, ...headers },
          body,
        });
      const traceparent = `00-${parent}-00f067aa0ba902b7-01`;
      const proxied = { traceparent, 'x-forwarded-for': '203.0.113.9' };
      await activate({ license_key: other?.code, machine_id: 'studio-mac', email: 'ella@example.com' }, proxied);
      await activate(
        { license_key: other?.code, machine_id: 'stage-mac', email: 'wrong@example.com' },
        { traceparent },
      );
      await call(server, 'GET', '/api/customers/export?search=nina%40simone.example', { token: ada.token });
      await call(server, 'POST', '/api/auth/forgot-password', { body: { email: ada.email } });
      await call(server, 'GET', '/no/such/page?token=tnr_pat_secret');
      await leave(server, ada.token);
      typed.push(ada.token, ada.email, key, 'nina@simone.example', 'ella@example.com', 'wrong@example.com');
      typed.push(serial?.code as string, other?.code as string, 'Secretverb', 'studio-mac', 'stage-mac', 'tnr_pat_');
    },
  );
  expect(output).toContain('LOADED @opentelemetry/sdk-trace');
  const { spans, bodies, resources } = collector;
  expect(new Set(bodies.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  expect(bodies[0]?.headers['x-team']).toBe('synths');
  expect(resources[0]?.['service.name']).toBe('licenses');

  const activations = spans.filter(({ name }) => name === 'POST /api/license/v1/activate');
  expect(activations.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 403]);
  expect(activations.every(({ kind }) => kind === KIND.server)).toBe(true);
  // only a trusted proxy decides which trace it belongs to
  expect(activations.map(({ traceId }) => traceId === parent)).toEqual([true, false]);
  // a line of the log leads to its trace
  const lineOf = (status: number, route: string): unknown =>
    JSON.parse(
      output
        .split('\n')
        .find((text) => text.includes(`"status":${status}`) && text.includes(`"route":"${route}"`)) as string,
    );
  expect(lineOf(403, '/api/license/v1/activate')).toMatchObject({
    msg: 'request',
    trace_id: activations[1]?.traceId,
    span_id: activations[1]?.spanId,
  });

  // a caller who leaves ends the span and has a line, too
  const made = spans.filter(({ name }) => name === 'POST /api/products');
  expect(made.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([201, 499]);
  expect(lineOf(499, '/api/products')).toMatchObject({
    msg: 'request',
    trace_id: made[1]?.traceId,
    span_id: made[1]?.spanId,
  });

  const statements = spans.filter(({ parentSpanId }) => parentSpanId === activations[0]?.spanId);
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.every(({ kind, traceId }) => kind === KIND.client && traceId === parent)).toBe(true);
  expect(statements.map(({ name }) => name)).toContain('commit');
  expect(statements.every(({ attributes }) => attributes['tonerow.pool'] === 'licensing')).toBe(true);

  const job = spans.find(({ name, kind }) => name === 'job mail' && kind === KIND.consumer);
  expect(spans.some(({ parentSpanId }) => parentSpanId === job?.spanId)).toBe(true);

  const sent = bodies.map(({ text }) => text).join('\n');
  for (const secret of typed) expect(sent, secret).not.toContain(secret);
});

it('sends protobuf by default, and keeps working without a collector', async () => {
  collector.bodies.length = 0;
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, async (server) => {
    await fetch(`${server.url}/livez`);
  });
  expect(collector.bodies[0]?.type).toBe('application/x-protobuf');
  expect(collector.bodies.map(({ text }) => text).join('')).toContain('GET /livez');
  const deaf = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '200' };
  const output = await run(deaf, async (server) => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
  expect(output).toContain('traces could not be sent');
});

it('refuses settings that it would not obey', async () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ] as const) {
    const refused = await spawnServer({
      nowait: true,
      env: {
        DATABASE_URL: db.url,
        TONEROW_SECRET: TEST_SECRET,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        [name]: value,
      },
    });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toContain(`${name}: ${value} is not supported`);
    await rm(refused.dataDir, { recursive: true, force: true });
  }
});
