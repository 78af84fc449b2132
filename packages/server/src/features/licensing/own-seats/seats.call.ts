import { answersWith, forms, type PluginRoute, pluginConfig, sameAnswer } from '../requests/plugin-call.http.ts';
import { ListSeatsBody, ReleaseSeatBody, SeatList, SendSeatCodeBody } from './own-seats.schemas.ts';
import type { OwnSeats } from './own-seats.service.ts';

export const seatRoutes =
  (seats: OwnSeats): PluginRoute =>
  (app, callerOf) => {
    app.post(
      '/api/license/v1/seats/code',
      {
        config: pluginConfig,
        schema: {
          operationId: 'sendSeatCode',
          tags: ['licensing'],
          summary: 'Email a code to the owner of a license',
          description:
            'With it, this machine may list and release the license’s seats for 15 minutes. The answer is the same whether or not there is such a license.',
          consumes: forms,
          body: SendSeatCodeBody,
          response: sameAnswer,
        },
      },
      async (request) => seats.sendCode(await callerOf(request), request.body),
    );

    app.post(
      '/api/license/v1/seats',
      {
        config: pluginConfig,
        schema: {
          operationId: 'listLicenseSeats',
          tags: ['licensing'],
          summary: 'List the machines that use a license',
          description:
            'Needs one of `email_code`, `device_code` and `validation_token`; without any it is refused with `code_required`.',
          consumes: forms,
          body: ListSeatsBody,
          response: answersWith(SeatList),
        },
      },
      async (request) => seats.list(await callerOf(request), request.body),
    );

    app.post(
      '/api/license/v1/seats/release',
      {
        config: pluginConfig,
        schema: {
          operationId: 'releaseLicenseSeat',
          tags: ['licensing'],
          summary: 'Release the seat of one of a license’s machines',
          description:
            'Of another machine with `email_code`, or with a `device_code` that was confirmed by the link from the email: otherwise `code_required`.',
          consumes: forms,
          body: ReleaseSeatBody,
          response: sameAnswer,
        },
      },
      async (request) => seats.release(await callerOf(request), request.body),
    );
  };
