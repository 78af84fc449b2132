import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { askedWith, workFor } from '../work-context.ts';
import { type Access, type Authenticate, holds, type Principal } from './access.ts';
import { bearerOf } from './bearer.ts';
import type { SessionIdOf } from './session-tokens.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    principal: Principal | null;
    /**
     * The caller of a public route that uses a credential if there is one.
     * @throws {AppError} unauthorized, invalid_token, forbidden or insufficient_scope.
     */
    identify(): Promise<Principal>;
    /** Whose the credential of the request is at this moment: it may have been revoked since the request came in. */
    authenticate(): Promise<Principal | null>;
  }
}

/**
 * Refuses to start with a route that does not declare its access, and enforces on every call what its route declares.
 */
export function guard(app: FastifyInstance, authenticate: Authenticate, sessionIdOf: SessionIdOf): void {
  app.decorateRequest('principal', null);
  app.decorateRequest('authenticate', async function (this: FastifyRequest) {
    const bearer = bearerOf(this);
    return bearer ? authenticate(bearer, () => sessionIdOf(this)) : null;
  });
  app.decorateRequest('identify', async function (this: FastifyRequest) {
    const { access } = this.routeOptions.config;
    if (access?.as !== 'public' || !access.knows) throw new Error('identify on a route that knows nobody');
    await check(this, { as: 'user', ...access.knows });
    return callerOf(this);
  });
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${String(route.method)} ${route.url} has no config.access`);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const access = request.routeOptions.config.access;
    if (!access || access.as === 'public' || access.as === 'plugin') return done();
    check(request, access).then(() => {
      // clients report when they are outdated
      reply.header('x-tonerow-version', VERSION);
      // and show the account's dates on its clock
      if (request.principal) reply.header('x-tonerow-time-zone', request.principal.timeZone);
      done();
    }, done);
  });
  const check = async (request: FastifyRequest, access: Access) => {
    if (!bearerOf(request))
      throw new AppError('unauthorized', 'Sign in, or send an access token as a bearer credential.');
    const principal = await request.authenticate();
    if (!principal) throw new AppError('invalid_token', 'The token is unknown, expired or revoked. Sign in again.');
    request.principal = principal;
    workFor(principal.accountId);
    askedWith({ kind: principal.kind, id: principal.credentialId, accountId: principal.accountId });
    allow(access, principal);
  };
}

function allow(access: Access, principal: Principal): void {
  allowKind(access, principal);
  // last, so that nobody is sent to verify an address for something they could not do anyway
  if ('verified' in access && access.verified && !principal.emailVerified) {
    throw new AppError(
      'email_unverified',
      'Verify your email address first: open the link we emailed you, or ask for a new one.',
    );
  }
}

const NEEDS_SESSION = 'This requires a signed-in session; access tokens cannot be used.';

function allowKind(access: Access, principal: Principal): void {
  if (access.as === 'admin') {
    if (!principal.isAdmin) throw new AppError('forbidden', 'This is for admins.');
    if (principal.kind !== 'session') throw new AppError('forbidden', NEEDS_SESSION);
    return;
  }
  if (access.as === 'session' && principal.kind !== 'session') {
    throw new AppError('forbidden', NEEDS_SESSION);
  }
  if ((access.as === 'session' || access.as === 'user') && access.role && access.role !== principal.role) {
    throw new AppError('forbidden', `This is for ${access.role}s.`);
  }
  if (access.as === 'user' && !holds(principal, access.scope)) {
    throw new AppError(
      'insufficient_scope',
      `The access token is missing the scope ${[access.scope].flat().join(' or ')}.`,
    );
  }
}

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('callerOf on a route without a principal');
  return request.principal;
}
