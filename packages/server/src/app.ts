import accepts from '@fastify/accepts';
import proxyAddr from '@fastify/proxy-addr';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { guard } from '#platform/access/guard.ts';
import { sessionTokens } from '#platform/access/session-tokens.ts';
import { withhold } from '#platform/access/withhold.ts';
import { apiVersion } from '#platform/http/answers/api-version.ts';
import { refuseUndeclaredStatuses } from '#platform/http/answers/declared-statuses.ts';
import { headers } from '#platform/http/answers/headers.ts';
import { openapi } from '#platform/http/answers/openapi.ts';
import { problems, refuseUnreadable, refuseUnroutable } from '#platform/http/answers/problem.ts';
import { strictSerializer, typedSerializer } from '#platform/http/answers/serializer.ts';
import type { App } from '#platform/http/app-kit.ts';
import { limitConnections } from '#platform/http/connections/connections.ts';
import { drainBodies } from '#platform/http/connections/drain-bodies.ts';
import { keepPace } from '#platform/http/connections/pace.ts';
import { onEnd } from '#platform/http/end.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { composeText, refuseUnstorableText } from '#platform/http/input/clean-input.ts';
import { jsonBodies } from '#platform/http/input/json-body.ts';
import { compileValidator } from '#platform/http/input/validation.ts';
import { rateLimited } from '#platform/http/limits/rate-limits.ts';
import { capStreams } from '#platform/http/limits/stream-caps.ts';
import { requestLog } from '#platform/http/request-log.ts';
import { lanes } from '#platform/http/route-lane.ts';
import { declareBodyRefusals } from '#platform/http/schemas.ts';
import { complete } from './contract/complete.ts';
import type { Deps } from './deps.ts';

export interface AppOptions {
  /** Tests: an answer with an undeclared status is an error, and so is a value that its schema would refuse. */
  strict?: boolean;
}

const HOUR = 3_600_000;
const BODY_LIMIT = 1024 * 1024;

/** The whole HTTP side: the platform, then the features in an explicit order. Nothing is found by scanning. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<App> {
  const { stallLimit, sockets, trustProxy } = deps.config;
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    childLoggerFactory: requestLog,
    genReqId: requestIds(deps),
    trustProxy,
    bodyLimit: BODY_LIMIT,
    // one JSON line per request is written by our own hook, with the route instead of the raw address
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // for the largest uploads; how fast they have to come is kept apart
    requestTimeout: HOUR,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: refuseUnroutable,
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;
  keepPace(app.server, stallLimit);
  limitConnections(app.server, { ...sockets, isProxy: proxiesIn(trustProxy) });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(options.strict ? strictSerializer : typedSerializer);

  // JSON is the only accepted body, except on routes that declare otherwise
  app.removeContentTypeParser('text/plain');
  jsonBodies(app);
  problems(app);
  declareBodyRefusals(app);
  await openapi(app, complete);
  await headers(app);
  apiVersion(app);
  await app.register(accepts);
  drainBodies(app);
  deps.tracing.requests(app);
  lanes(app, deps.pluginsFirst);
  logged(app, deps);
  rateLimited(app, deps.limits);
  guard(app, deps.sessions.authenticate, await sessionTokens(app, deps));
  withhold(app);
  capStreams(app);
  composeText(app);
  refuseUnstorableText(app);
  idempotency(app, deps);
  if (options.strict) refuseUndeclaredStatuses(app);

  for (const { routes = [] } of deps.features) for (const plugin of routes) await app.register(plugin);
  return app;
}

/** Whether an address is that of a trusted proxy. */
function proxiesIn(trusted: string[] | false): (address: string) => boolean {
  const matches = trusted ? proxyAddr.compile(trusted) : undefined;
  return (address) => matches?.(address, 0) ?? false;
}

/** One line per request. Successful plugin calls are counted, but logged at debug level only. */
function logged(app: App, deps: Deps): void {
  onEnd(app, (request, { elapsedTime }, status) => {
    const { url: route = 'unknown', config } = request.routeOptions;
    const { method, ip, id: requestId } = request;
    deps.metrics.observe(method, route, status, elapsedTime / 1000);
    const routine = config.access?.as === 'plugin' && status < 400;
    const level = routine || ['/livez', '/startupz', '/readyz'].includes(route) ? 'debug' : 'info';
    if (deps.log.isLevelEnabled(level)) {
      request.log[level]({ method, route, status, ms: Math.round(elapsedTime * 10) / 10 }, 'request');
    }
    const credential = request.work?.origin?.credential;
    if (credential && credential.kind !== 'session') {
      const who = { ...credential, kind: credential.kind };
      const response = { method, route, status, ms: elapsedTime, ip, requestId, credential: who };
      for (const feature of deps.features) feature.onResponse?.(response);
    }
  });
}

/** Ids that are unique among all processes and cost next to nothing. */
function requestIds(deps: Deps): () => string {
  const process_ = deps.random.id();
  let count = 0;
  return () => `${process_}-${(count++).toString(36)}`;
}
