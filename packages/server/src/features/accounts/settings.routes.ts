import { callerOf } from '../../platform/access/guard.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '../../platform/http/schemas.ts';
import { SettingsView, UpdateSettingsBody } from './settings.schemas.ts';
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
          response: privateAnswers({ 200: SettingsView }),
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
          body: UpdateSettingsBody,
          response: privateAnswers({ 200: SettingsView }, ...WRITE),
        },
      },
      async (request) => settings.update(callerOf(request), request.body),
    );
  };
}
