import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import { ArchiveQuery } from '../payouts.schemas.ts';
import type { Paper, Papers } from './papers.service.ts';

const file = (type: string, description: string) => ({ description, content: { [type]: { schema: z.any() } } });

const sides = [
  {
    side: 'reseller',
    path: '/api/reseller/payouts',
    csv: 'downloadPayoutCsv',
    pdf: 'downloadPayoutPdf',
    archive: 'downloadPayoutArchive',
  },
  {
    side: 'developer',
    path: '/api/reseller/developer/payouts',
    csv: 'downloadDeveloperPayoutCsv',
    pdf: 'downloadDeveloperPayoutPdf',
    archive: 'downloadDeveloperPayoutArchive',
  },
] as const;

export function paperRoutes(papers: Papers) {
  return async (app: App): Promise<void> => {
    for (const { side, path, csv, pdf, archive } of sides) {
      const access = { as: 'user', role: side, scope: 'payouts:read' } as const;
      app.get(
        `${path}/:id/statement.csv`,
        {
          config: { access, stream: 'rows' },
          schema: {
            operationId: csv,
            tags: ['payouts'],
            summary: 'Download a statement with all of its transactions as CSV',
            description:
              'Its last line has the sums and the digest. `tonerow payouts verify` recounts them from the file alone.',
            params: IdParams,
            response: privateAnswers({ 200: file('text/csv', 'The statement') }, 404),
          },
        },
        async (request, reply) => {
          const reader = { side, accountId: callerOf(request).accountId };
          const { name, body } = await papers.csv(reader, request.params.id, abortSignal(reply));
          return asFile(reply, 'csv', name).send(body);
        },
      );

      app.get(
        `${path}/:id/statement.pdf`,
        {
          config: { access, stream: 'rows' },
          schema: {
            operationId: pdf,
            tags: ['payouts'],
            summary: 'Download a statement as PDF',
            description: 'Parties, figures, payments and the seal; the transactions are in the CSV.',
            params: IdParams,
            response: privateAnswers({ 200: file('application/pdf', 'The statement') }, 404),
          },
        },
        async (request, reply) => {
          const reader = { side, accountId: callerOf(request).accountId };
          return send(reply, await papers.pdf(reader, request.params.id), 'pdf', 'application/pdf');
        },
      );

      app.get(
        `${path}/archive`,
        {
          config: { access, stream: 'rows' },
          schema: {
            operationId: archive,
            tags: ['payouts'],
            summary: 'Download all statements of a year, as CSV and PDF, in one ZIP file',
            querystring: ArchiveQuery,
            response: privateAnswers({ 200: file('application/zip', 'The statements') }, 422),
          },
        },
        async (request, reply) => {
          const reader = { side, accountId: callerOf(request).accountId };
          const { year, reseller_id } = request.query;
          const paper = await papers.archive(reader, { year, partnershipId: reseller_id }, abortSignal(reply));
          return send(reply, paper, 'zip', 'application/zip');
        },
      );
    }
  };
}

function send(reply: FastifyReply, { name, body }: Paper, ending: string, type: string): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}.${ending}"`).send(body);
}
