import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './settings.schemas.ts';
import type { AccountSettings } from './settings.service.ts';

export function settingsRoutes(settings: AccountSettings) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/account/settings',
      {
        config: { access: { as: 'user', scope: 'account:read' } },
        schema: {
          operationId: 'getAccountSettings',
          tags: ['account'],
          summary: 'The account’s settings',
          response: privateAnswers({ 200: s.SettingsView }),
        },
      },
      async (request) => settings.get(callerOf(request)),
    );

    app.put(
      '/api/account/settings',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'updateAccountSettings',
          tags: ['account'],
          summary: 'Change the account’s settings',
          description: 'Omitted fields stay unchanged. A new time zone also regroups past redemptions by its days.',
          body: s.UpdateSettingsBody,
          response: privateAnswers({ 200: s.SettingsView }, ...WRITE),
        },
      },
      async (request) => settings.update(callerOf(request), request.body),
    );

    app.get(
      '/api/reseller/settings',
      {
        config: { access: { as: 'user', role: 'reseller', scope: 'account:read' } },
        schema: {
          operationId: 'getResellerSettings',
          tags: ['account'],
          summary: 'A reseller’s settings',
          response: privateAnswers({ 200: s.ResellerSettingsView }),
        },
      },
      async (request) => settings.get(callerOf(request)),
    );

    app.put(
      '/api/reseller/settings/update',
      {
        config: { access: { as: 'session', role: 'reseller' } },
        schema: {
          operationId: 'updateResellerSettings',
          tags: ['account'],
          summary: 'Change a reseller’s settings',
          description: 'Omitted fields stay unchanged. A new time zone also regroups past sales by its days.',
          body: s.UpdateResellerSettingsBody,
          response: privateAnswers({ 200: s.ResellerSettingsView }, ...WRITE),
        },
      },
      async (request) => settings.update(callerOf(request), request.body),
    );
  };
}
