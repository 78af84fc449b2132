import { isSpanContextValid, trace } from '@opentelemetry/api';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger };

const SECRET_PARAMETERS =
  /([?&](?:token|open|app_id|app_key|key|serial|code|email|password|secret|license|license_key|secret_key|consumer_key|consumer_secret|validation_token|download_token)=)[^&#]*/gi;

/** Plugins of other systems have the plugin key in the path, and some a license too. */
const SECRET_SEGMENTS = [/(\/legacy\/)[^/?#]+/gi, /(\/lmfwc\/v2\/licenses\/\w+\/)[^/?#]+/gi];

/** A URL fit for a log: the values of credential-like query parameters and parts of the path are blotted out. */
export function redactUrl(url: string): string {
  const path = SECRET_SEGMENTS.reduce((text, segment) => text.replace(segment, '$1[redacted]'), url);
  return path.replace(SECRET_PARAMETERS, '$1[redacted]');
}

const redact = {
  paths: [
    'req.headers.authorization',
    'req.headers.cookie',
    'req.headers["x-ss-api-key"]',
    'req.headers["x-app-key"]',
    'req.headers["x-app-id"]',
    '*.password',
    '*.token',
    '*.secret',
    '*.email',
    '*.serial',
    '*.code_key',
    '*.license_key',
    'password',
    'token',
    'secret',
    'email',
    'serial',
  ],
  censor: '[redacted]',
};

/** The trace that a line belongs to, while one is recorded. */
function ofTrace(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** JSON lines on stdout; never passwords, tokens, keys, serial codes or email addresses. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact,
    base: { pid: process.pid },
    mixin: ofTrace,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: {
      req: (req: { method: string; url: string }) => ({ method: req.method, url: redactUrl(req.url) }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
      err: (error: Error) => ({
        type: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {}),
      }),
    },
  };
  return pino(options, destination ?? buffered());
}

let output: DestinationStream | undefined;

/**
 * Standard output, of which a process has one however many loggers it makes. Lines are written together, a quarter of a second late
 * at the most, and all of them before the process ends.
 */
function buffered(): DestinationStream {
  output ??= open();
  return output;
}

function open(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, minLength: 8192 });
  setInterval(() => stream.flush(), 250).unref();
  process.on('exit', () => stream.flushSync());
  return stream;
}
