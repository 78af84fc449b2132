import { limits as redemptionLimits } from '#features/redemption';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Ok, WRITE } from '#platform/http/schemas.ts';
import * as s from './device-codes.schemas.ts';
import type { DeviceCodes } from './device-codes.service.ts';

/** The redemption page, where a plugin is confirmed. */
export function deviceCodeRoutes(codes: DeviceCodes) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/device/find',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem },
        schema: {
          operationId: 'findDeviceCode',
          tags: ['redemption'],
          summary: 'Show which plugin waits with a code',
          body: s.FindDeviceCodeBody,
          response: answers({ 200: s.DeviceCodeView }, 404, ...WRITE),
        },
      },
      async (request) => codes.find(request.body, request),
    );

    app.post(
      '/api/redeem/device/serials',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem },
        schema: {
          operationId: 'listDeviceSerials',
          tags: ['redemption'],
          summary: 'List your serials that a waiting plugin can be activated with',
          body: s.DeviceSerialsBody,
          response: answers({ 200: s.DeviceSerials }, 404, ...WRITE),
        },
      },
      async (request) => codes.choices(request.body, request),
    );

    app.post(
      '/api/redeem/device/confirm',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem },
        schema: {
          operationId: 'confirmDeviceCode',
          tags: ['redemption'],
          summary: 'Let a waiting plugin be activated with one of your serials',
          description: 'The plugin takes the seat when it asks next. Repeating the answer changes nothing.',
          body: s.ConfirmDeviceCodeBody,
          response: answers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        await codes.confirm(request.body, request);
        return { ok: true as const };
      },
    );

    app.post(
      '/api/redeem/device/deny',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem },
        schema: {
          operationId: 'denyDeviceCode',
          tags: ['redemption'],
          summary: 'Refuse a plugin that waits with a code',
          description: 'Whoever has the code may. Repeating the answer changes nothing.',
          body: s.FindDeviceCodeBody,
          response: answers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        await codes.deny(request.body, request);
        return { ok: true as const };
      },
    );
  };
}
