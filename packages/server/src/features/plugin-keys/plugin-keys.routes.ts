import { callerOf } from '#platform/access/guard.ts';
import type { Clock } from '#platform/clock.ts';
import { asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Ok, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { dayPeriod } from '#platform/time/days.ts';
import * as s from './plugin-keys.schemas.ts';
import type { PluginKeys } from './plugin-keys.service.ts';

const read = { as: 'user', role: 'developer', scope: 'keys:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'keys:write' } as const;

const figures = { as: 'user', role: 'developer', scope: 'analytics:read' } as const;
const LONGEST = { days: 366, message: 'Choose at most 366 days.' };

export function pluginKeyRoutes(keys: PluginKeys, clock: Clock) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/analytics/plugin-keys',
      {
        config: { access: figures },
        schema: {
          operationId: 'getPluginKeyReport',
          tags: ['analytics'],
          summary: 'Get how often plugins called with each plugin key, and were refused, by day',
          description: '`Accept: text/csv` has one line per day and key.',
          querystring: s.KeyReportQuery,
          response: privateAnswers({ 200: orCsv(s.KeyReport, 'The period') }, 406),
        },
      },
      async (request, reply) => {
        const { accountId, timeZone } = callerOf(request);
        const form = jsonOrCsv(request);
        const days = dayPeriod(request.query, timeZone, clock, LONGEST);
        if (form === 'csv')
          return asFile(reply, 'csv', 'plugin-keys').send(await keys.usage.csv(accountId, timeZone, days));
        const used = await keys.usage.report(accountId, days);
        return { keys: used, startDate: days.from, endDate: days.to, time_zone: timeZone };
      },
    );

    app.get(
      '/api/developer/plugin-keys',
      {
        config: { access: read },
        schema: {
          operationId: 'listPluginKeys',
          tags: ['plugin keys'],
          summary: 'List plugin keys, newest first',
          querystring: s.KeysQuery,
          response: privateAnswers({ 200: s.PluginKeys }),
        },
      },
      async (request) => ({ keys: await keys.list(callerOf(request).accountId, request.query.stale_days) }),
    );

    app.post(
      '/api/developer/plugin-keys',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'createPluginKey',
          tags: ['plugin keys'],
          summary: 'Create a plugin key',
          body: s.CreateKeyBody,
          response: privateAnswers({ 201: s.NewKey }, ...WRITE),
        },
      },
      async (request, reply) => {
        const made = await keys.create(callerOf(request), request.resourceId, request.body);
        return reply.code(201).send({ ok: true, ...made });
      },
    );

    app.post(
      '/api/developer/plugin-keys/:id/rotate',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'rotatePluginKey',
          tags: ['plugin keys'],
          summary: 'Rotate a plugin key; the old one keeps working for a grace period',
          params: IdParams,
          body: s.RotateKeyBody,
          response: privateAnswers({ 201: s.NewKey }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const made = await keys.rotate(callerOf(request), request.params.id, request.resourceId, request.body);
        return reply.code(201).send({ ok: true, ...made });
      },
    );

    app.patch(
      '/api/developer/plugin-keys/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'updatePluginKey',
          tags: ['plugin keys'],
          summary: 'Rename, deactivate or reactivate a plugin key',
          params: IdParams,
          body: s.UpdateKeyBody,
          response: privateAnswers({ 200: s.PluginKeyView }, 404, ...WRITE),
        },
      },
      async (request) => keys.update(callerOf(request).accountId, request.params.id, request.body),
    );

    app.get(
      '/api/developer/plugin-keys/:id/secret',
      {
        config: { access: write },
        schema: {
          operationId: 'revealPluginKey',
          tags: ['plugin keys'],
          summary: 'Reveal a plugin key; every reveal is logged',
          params: IdParams,
          response: privateAnswers({ 200: s.RevealedKey }, 404),
        },
      },
      async (request) => {
        const plaintext = await keys.reveal(callerOf(request), request.params.id, request.ip);
        return { ok: true as const, plaintext };
      },
    );

    app.delete(
      '/api/developer/plugin-keys/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deletePluginKey',
          tags: ['plugin keys'],
          summary: 'Delete a plugin key; builds that use it stop working',
          params: IdParams,
          response: privateAnswers({ 200: Ok }, 404),
        },
      },
      async (request) => {
        await keys.delete(callerOf(request).accountId, request.params.id);
        return { ok: true as const };
      },
    );
  };
}
