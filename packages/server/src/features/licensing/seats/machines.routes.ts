import { callerOf } from '#platform/access/guard.ts';
import { asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { MachineAnalytics, MachineQuery, VersionQuery, VersionReport } from './machines.schemas.ts';
import { ReleasedMachine, SeatsBody, SerialSeats } from './seats.schemas.ts';
import type { Seats } from './seats.service.ts';
import type { VersionsInUse } from './version-report.ts';

const figures = { as: 'user', role: 'developer', scope: 'analytics:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'serials:write' } as const;

/** The developer's view of machines and seats. */
export function machineRoutes(seats: Seats, versions: VersionsInUse) {
  return async (app: App): Promise<void> => {
    app.patch(
      '/api/serials/:id/seats',
      {
        config: { access: write },
        schema: {
          operationId: 'setSerialSeats',
          tags: ['serials'],
          summary: 'Set the number of seats of one serial',
          description: 'Machines that hold a seat keep it, even if there are fewer seats now.',
          params: IdParams,
          body: SeatsBody,
          response: privateAnswers({ 200: SerialSeats }, 404, ...WRITE),
        },
      },
      async (request) => seats.set(callerOf(request), request.params.id, request.body.max_activations),
    );

    app.post(
      '/api/machines/:id/release',
      {
        config: { access: write },
        schema: {
          operationId: 'releaseSerialMachine',
          tags: ['serials'],
          summary: 'Release a machine’s seat',
          description: 'Releasing a released machine changes nothing.',
          params: IdParams,
          response: privateAnswers({ 200: ReleasedMachine }, 404, ...WRITE),
        },
      },
      async (request) => seats.release(callerOf(request), request.params.id),
    );

    app.get(
      '/api/analytics/machines',
      {
        config: { access: figures },
        schema: {
          operationId: 'getMachineAnalytics',
          tags: ['analytics'],
          summary: 'Get statistics of machines, versions and operating systems',
          querystring: MachineQuery,
          response: privateAnswers({ 200: MachineAnalytics }),
        },
      },
      async (request) => versions.machines(callerOf(request), request.query.product_id ?? null),
    );

    app.get(
      '/api/analytics/versions',
      {
        config: { access: figures },
        schema: {
          operationId: 'getVersionReport',
          tags: ['analytics'],
          summary: 'Report activations by version and operating system',
          description:
            'Seats that are held and were seen in the last days. `Accept: text/csv` has every pair of version and system, at most 10,000.',
          querystring: VersionQuery,
          response: privateAnswers({ 200: orCsv(VersionReport, 'The activations') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return versions.report(caller, request.query);
        return asFile(reply, 'csv', 'versions').send(await versions.csv(caller, request.query));
      },
    );
  };
}
