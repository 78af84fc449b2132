import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  hostDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { sqlState } from '../errors.ts';
import { onEnd } from '../http/end.ts';
import type { Logger } from '../log.ts';
import { summaryOf } from './statement-summary.ts';
import type { Tracing, TracingConfig } from './tracing.ts';

const STOP_TIMEOUT = 3000;

declare module 'fastify' {
  interface FastifyRequest {
    traced?: { span: Span; context: Context };
  }
}

/** Traces by OpenTelemetry's own SDK. The exporter reads its endpoint, headers and timeouts from the environment. */
export function otelTracing(config: TracingConfig, log: Logger): Tracing {
  const onExportError = onceAMinute((error) => log.warn({ err: error }, 'traces could not be sent'));
  setGlobalErrorHandler(onExportError);
  const exporter = config.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tonerow' }))
      .merge(
        detectResources({
          detectors: [hostDetector, serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
        }),
      ),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('tonerow');
  return {
    requests: (app) => traceRequests(app, tracer),
    statements: (client, pool) => traceStatements(client, pool, tracer),
    job: (queue, work) =>
      inSpan(tracer, `job ${queue}`, SpanKind.CONSUMER, { 'messaging.destination.name': queue }, work),
    async stop() {
      await Promise.race([
        provider.shutdown().catch(onExportError),
        new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT).unref()),
      ]);
      context.disable();
      propagation.disable();
    },
  };
}

/** A collector that is away must not fill the log. */
function onceAMinute(report: (error: unknown) => void): (error: unknown) => void {
  let quiet = false;
  return (error) => {
    if (quiet) return;
    quiet = true;
    setTimeout(() => {
      quiet = false;
    }, 60_000).unref();
    report(error);
  };
}

function samplerOf({ sampler, parentBased, ratio }: TracingConfig): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler]();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, url: route = 'unknown' } = request.routeOptions;
    const span = tracer.startSpan(
      `${String(method ?? request.method)} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'tonerow.request_id': request.id,
        },
      },
      callerOf(request),
    );
    const within = trace.setSpan(ROOT_CONTEXT, span);
    request.traced = { span, context: within };
    request.inTrace = (work) => context.with(within, work);
    context.with(within, done);
  });
  // callbacks after the body was read or the answer written come from the socket, so the context has to be entered again
  const within = (request: FastifyRequest, done: () => void) =>
    request.traced ? context.with(request.traced.context, done) : done();
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
  app.addHook('onResponse', (request, _reply, done) => within(request, done));
  onEnd(app, (request, _reply, status) => end(request, status));
}

/** Only a trusted proxy may set the trace of a request, or any caller could force all of its requests to be traced. */
function callerOf(request: FastifyRequest): Context {
  const trusted = (request.ips?.length ?? 0) > 1;
  return trusted ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT;
}

function end(request: FastifyRequest, status: number): void {
  const span = request.traced?.span;
  if (!span?.isRecording()) return;
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

type Query = (...args: unknown[]) => unknown;

/** Statements that return a promise; COPY streams belong to the surrounding span. */
function traceStatements(client: pg.PoolClient, pool: string, tracer: Tracer): void {
  const query = client.query.bind(client) as Query;
  const traced: Query = (...args) => {
    const text = textOf(args[0]);
    if (text === undefined || typeof args.at(-1) === 'function') return query(...args);
    const summary = summaryOf(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'tonerow.pool': pool };
    return inSpan(tracer, summary, SpanKind.CLIENT, attributes, () => query(...args) as Promise<unknown>);
  };
  client.query = traced as typeof client.query;
}

/** Undefined for what is no statement with a result, such as a stream. */
function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  const { text, submit } = query as { text?: string; submit?: unknown };
  return submit === undefined ? text : undefined;
}

async function inSpan<T>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind, attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    // its message may quote user input
    const state = sqlState(error);
    span.setAttribute('error.type', state ?? (error instanceof Error ? error.name : 'unknown'));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
