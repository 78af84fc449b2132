import { TonerowError } from './errors.ts';

/** The part of OpenTelemetry that a client needs: `trace.getTracer('my-shop')` is one. */
export interface Tracer {
  startSpan(name: string, options?: { kind?: number; attributes?: Record<string, string | number> }): TracedCall;
}

interface TracedCall {
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): unknown;
}

/** OpenTelemetry's numbers for a span of a client, and for one that failed. */
const [CLIENT, ERROR] = [2, 2];

interface Outgoing {
  method: string;
  /** As in the contract: what a caller filled in, such as an email address, is in no span. */
  template: string | undefined;
  url: string;
  attempt: number;
}

/** One try of a call. */
export interface TryTrace {
  /** The header by which the server goes on with this trace. */
  readonly traceparent: string;
  answered(response: Response): void;
  end(failure?: { error: unknown }): void;
}

/** Begins the span of a try, by OpenTelemetry’s conventions for HTTP clients. */
export function traceOf(tracer: Tracer, { method, template, url, attempt }: Outgoing): TryTrace {
  const server = URL.canParse(url) ? new URL(url) : undefined;
  const span = tracer.startSpan(template === undefined ? method : `${method} ${template}`, {
    kind: CLIENT,
    attributes: {
      'http.request.method': method,
      ...(template === undefined ? {} : { 'url.template': template }),
      ...(server ? { 'server.address': server.hostname, 'server.port': portOf(server) } : {}),
      ...(attempt > 0 ? { 'http.request.resend_count': attempt } : {}),
    },
  });
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`,
    answered(response) {
      span.setAttribute('http.response.status_code', response.status);
      const requestId = response.headers.get('x-request-id');
      if (requestId !== null) span.setAttribute('tonerow.request_id', requestId);
    },
    end(failure) {
      if (failure) {
        span.setAttribute('error.type', typeOf(failure.error));
        span.setStatus({ code: ERROR });
      }
      span.end();
    },
  };
}

/** One of few words: messages may name what somebody typed. */
function typeOf(error: unknown): string {
  if (error instanceof TonerowError) return error.code ?? error.name;
  return error instanceof Error ? error.name : 'unknown';
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
