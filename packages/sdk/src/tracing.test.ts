import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { expect, expectTypeOf, it } from 'vitest';
import type { ClientOptions } from './index.ts';

// the declarations of `@opentelemetry/api` 1.10
declare enum SpanKind {
  INTERNAL = 0,
  SERVER = 1,
  CLIENT = 2,
}
declare enum SpanStatusCode {
  UNSET = 0,
  OK = 1,
  ERROR = 2,
}
type Attribute = string | number | boolean | (string | null | undefined)[] | (number | null | undefined)[];
interface OpenTelemetryTracer {
  startSpan(
    name: string,
    options?: { kind?: SpanKind; attributes?: Record<string, Attribute | undefined>; root?: boolean },
    context?: object,
  ): OpenTelemetrySpan;
}
interface OpenTelemetrySpan {
  spanContext(): { traceId: string; spanId: string; isRemote?: boolean; traceFlags: number };
  setAttribute(key: string, value: Attribute): this;
  setStatus(status: { code: SpanStatusCode; message?: string }): this;
  end(endTime?: number | Date): void;
}

interface Made {
  name: string;
  kind: number | undefined;
  attributes: Record<string, string | number>;
  status?: { code: number };
  ended: boolean;
}

/** A tracer that keeps its spans. */
function tracing() {
  const made: Made[] = [];
  const tracer: NonNullable<ClientOptions['tracer']> = {
    startSpan(name, { kind, attributes = {} } = {}) {
      const span: Made = { name, kind, attributes: { ...attributes }, ended: false };
      made.push(span);
      return {
        spanContext: () => ({ traceId: 'a'.repeat(32), spanId: String(made.length).padStart(16, '0'), traceFlags: 1 }),
        setAttribute: (key, value) => Object.assign(span.attributes, { [key]: value }),
        setStatus: (status) => Object.assign(span, { status }),
        end: () => Object.assign(span, { ended: true }),
      };
    },
  };
  return { made, tracer };
}

it('makes a span of each try, which names the route and nothing that was filled in, and goes along', async () => {
  const { made, tracer } = tracing();
  const { api, seen, url } = await serverWith(
    (_request, response, count) =>
      count === 1
        ? answer(response, 503, { code: 'unavailable' }, { 'x-request-id': 'r1' })
        : answer(response, 200, { id: 'p1' }, { 'x-request-id': 'r2' }),
    { tracer },
  );
  await api.products.get('p1');
  const attributes = {
    'http.request.method': 'GET',
    'url.template': '/api/products/{id}',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(url).port),
  };
  const named = { name: 'GET /api/products/{id}', kind: 2, ended: true };
  expect(made).toEqual([
    {
      ...named,
      attributes: {
        ...attributes,
        'http.response.status_code': 503,
        'tonerow.request_id': 'r1',
        'error.type': 'unavailable',
      },
      status: { code: 2 },
    },
    {
      ...named,
      attributes: {
        ...attributes,
        'http.request.resend_count': 1,
        'http.response.status_code': 200,
        'tonerow.request_id': 'r2',
      },
    },
  ]);
  expect(seen.map(({ headers }) => headers.traceparent)).toEqual([
    `00-${'a'.repeat(32)}-0000000000000001-01`,
    `00-${'a'.repeat(32)}-0000000000000002-01`,
  ]);
});

it('ends the span of a call that got no answer, and sends no header of its own to where a file is kept', async () => {
  const { made, tracer } = tracing();
  const { api, seen } = await serverWith(
    (request, response) =>
      request.url?.startsWith('/api/products')
        ? request.socket.destroy()
        : response.writeHead(302, { location: 'https://bucket.example.com/file' }).end(),
    { tracer, retries: 0 },
  );
  await expect(api.products.list()).rejects.toThrow('broke before its response arrived');
  await api.withResponse.files.download('f1');
  expect(made.map(({ ended, attributes }) => [ended, attributes['error.type']])).toEqual([
    [true, 'ConnectionError'],
    [true, undefined],
  ]);
  expect(seen.map(({ headers }) => headers.traceparent !== undefined)).toEqual([true, false]);
});

it('takes the tracer of OpenTelemetry', () => {
  expectTypeOf<OpenTelemetryTracer>().toExtend<NonNullable<ClientOptions['tracer']>>();
});
