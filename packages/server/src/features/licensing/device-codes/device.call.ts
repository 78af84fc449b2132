import type { CountryOf } from '#platform/network/geo.ts';
import { answersWith, forms, type PluginRoute, pluginConfig } from '../requests/plugin-call.http.ts';
import { DeviceFinished, DeviceStarted, FinishDeviceBody, StartDeviceBody } from './device-codes.schemas.ts';
import type { DeviceCodes } from './device-codes.service.ts';

export const deviceRoutes =
  (codes: DeviceCodes, countryOf: CountryOf): PluginRoute =>
  (app, callerOf) => {
    app.post(
      '/api/license/v1/device',
      {
        config: pluginConfig,
        schema: {
          operationId: 'startLicenseDevice',
          tags: ['licensing'],
          summary: 'Ask the owner of a serial in the browser',
          description:
            'Show `verification_uri_complete` as a button, a text and a QR code, with `user_code` beside it, then call `finishLicenseDevice` every `interval` seconds (RFC 8628).',
          consumes: forms,
          body: StartDeviceBody,
          response: answersWith(DeviceStarted),
        },
      },
      async (request) =>
        codes.start(await callerOf(request), request.body, { ip: request.ip, country: countryOf(request) }),
    );

    app.post(
      '/api/license/v1/device/token',
      {
        config: pluginConfig,
        schema: {
          operationId: 'finishLicenseDevice',
          tags: ['licensing'],
          summary: 'Ask what the owner has answered in the browser',
          description:
            '`pending` until then, or `slow_down`: wait five seconds longer from then on. `denied` and `code_expired` end it. Once it is confirmed, the answer is that of `activateLicense` with the serial’s `license_key`; while the code lasts, it can be asked for again.',
          consumes: forms,
          body: FinishDeviceBody,
          response: answersWith(DeviceFinished),
        },
      },
      async (request) => codes.finish(await callerOf(request), request.body),
    );
  };
