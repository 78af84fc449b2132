import querystring from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { sessionToken } from '#platform/access/session-tokens.ts';
import { AppError } from '#platform/errors.ts';
import { isForm } from '#platform/http/answers/oauth-error.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { deviceOf } from '#platform/network/device.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import { SESSION_SECONDS } from '../credentials/sessions.ts';
import { limits } from '../limits.ts';
import * as s from './device-sign-in.schemas.ts';
import type { DeviceSignIns } from './device-sign-ins.service.ts';

/**
 * A scope of its own: OAuth clients send forms here. A web page can neither start a sign-in nor ask for its session: it
 * would do so from its visitor's network, and look to the visitor like their own terminal.
 */
export function deviceSignInRoutes(signIns: DeviceSignIns, countryOf: CountryOf) {
  return async (app: App): Promise<void> => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: FastifyRequest, body: string) => querystring.parse(body),
    );
    app.addHook('preValidation', (request, _reply, done) => {
      request.body = isForm(request) ? parametersOf(request) : (request.body ?? {});
      done();
    });

    app.post(
      '/api/auth/device',
      {
        config: { access: { as: 'public' }, cors: false, rateLimit: limits.device_sign_ins, oauth: true },
        schema: {
          operationId: 'startDeviceSignIn',
          tags: ['accounts'],
          summary: 'Start signing in a terminal (RFC 8628)',
          description:
            'Show the person `verification_uri` and `user_code`, then call `finishDeviceSignIn` every `interval` seconds. JSON, or a form as OAuth clients send it.',
          body: s.StartDeviceSignInBody,
          response: answers({ 200: s.DeviceSignInStarted }, ...WRITE),
        },
      },
      async (request) => signIns.start(request.body.machine, deviceOf(request), countryOf(request)),
    );

    app.post(
      '/api/auth/device/token',
      {
        // once, but for a client whose response was lost
        config: { access: { as: 'public' }, cors: false, oauth: true, idempotent: 'answer' },
        schema: {
          operationId: 'finishDeviceSignIn',
          tags: ['accounts'],
          summary: 'Ask whether the terminal may sign in (RFC 8628)',
          description:
            'Until the person has answered: 400 with `error` `authorization_pending`, or `slow_down` when it is called too often: wait five seconds longer from then on. `access_denied`, `expired_token` and `invalid_grant` end it. The token is given once.',
          body: s.FinishDeviceSignInBody,
          response: answers({ 200: s.DeviceSignInFinished }, ...WRITE),
        },
      },
      async (request) => {
        const { grant_type, device_code } = request.body;
        if (grant_type !== s.DEVICE_CODE_GRANT)
          throw new AppError('unsupported_grant_type', `The grant type here is ${s.DEVICE_CODE_GRANT}.`);
        const { session, user: account } = await signIns.finish(device_code, deviceOf(request));
        const token_type = 'Bearer' as const;
        return { access_token: sessionToken(app, session), token_type, expires_in: SESSION_SECONDS, user: account };
      },
    );

    app.post(
      '/api/auth/device/find',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'findDeviceSignIn',
          tags: ['accounts'],
          summary: 'Show which terminal waits with a code',
          body: s.UserCodeBody,
          response: privateAnswers({ 200: s.DeviceSignInView }, 404, ...WRITE),
        },
      },
      async (request) => signIns.find(callerOf(request), request.body.user_code, deviceOf(request)),
    );

    app.post(
      '/api/auth/device/approve',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'approveDeviceSignIn',
          tags: ['accounts'],
          summary: 'Sign in the terminal that waits with a code',
          description: 'Answers once; repeating the answer changes nothing.',
          body: s.UserCodeBody,
          response: privateAnswers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        await signIns.answer(callerOf(request), request.body.user_code, 'approved');
        return { ok: true as const };
      },
    );

    app.post(
      '/api/auth/device/deny',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'denyDeviceSignIn',
          tags: ['accounts'],
          summary: 'Refuse the terminal that waits with a code',
          description: 'Answers once; repeating the answer changes nothing.',
          body: s.UserCodeBody,
          response: privateAnswers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        await signIns.answer(callerOf(request), request.body.user_code, 'denied');
        return { ok: true as const };
      },
    );
  };
}

/** Parameters as OAuth has them: one without a value is as if it were not there, and an unknown one is ignored (RFC 6749, section 3.1). */
function parametersOf({ body, routeOptions }: FastifyRequest): Record<string, unknown> {
  const known = Object.keys((routeOptions.schema?.body as z.ZodObject | undefined)?.shape ?? {});
  const sent = Object.entries((body ?? {}) as Record<string, unknown>);
  return Object.fromEntries(sent.filter(([name, value]) => known.includes(name) && value !== ''));
}
