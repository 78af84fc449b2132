import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import type { Circulations } from './circulation.ts';
import * as s from './downloads.schemas.ts';
import type { StockDownloads } from './downloads.service.ts';

const reseller = { as: 'user', role: 'reseller', scope: 'stock:read' } as const;
const developer = { as: 'user', role: 'developer', scope: 'resellers:read' } as const;

export function downloadRoutes(downloads: StockDownloads, circulations: Circulations) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/download-serials',
      {
        config: { access: { ...reseller, scope: 'stock:write', shows: ['codes'] }, stream: 'bulk' },
        // a HEAD would record a file that nobody took
        exposeHeadRoute: false,
        schema: {
          operationId: 'downloadStock',
          tags: ['draws'],
          summary: 'Download a product’s available serials as CSV',
          description:
            'The codes stay in stock, but count as in circulation: the developer sees who took the file, when, and how many codes it had. To hand out one code for each sale, use a draw instead.',
          querystring: s.DownloadStockQuery,
          response: privateAnswers(
            { 200: { description: 'The serials', content: { 'text/csv': { schema: s.Csv } } } },
            404,
            409,
          ),
        },
      },
      async (request, reply) => {
        const file = await downloads.download(callerOf(request), request.query, abortSignal(reply));
        return asFile(reply, 'csv', 'serials').send(file);
      },
    );

    app.get(
      '/api/reseller/stock-downloads',
      {
        config: { access: reseller, stream: 'rows' },
        schema: {
          operationId: 'listStockDownloads',
          tags: ['draws'],
          summary: 'List the files of serials that a reseller has downloaded, newest first',
          description: '`Accept: text/csv` streams a line for each batch of all files that match the filter.',
          querystring: s.ListStockDownloadsQuery,
          response: privateAnswers({ 200: orCsv(s.StockDownloadPage, 'A page of files') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return downloads.ofReseller(caller, request.query);
        const csv = await downloads.ofResellerCsv(caller, request.query.product_id, abortSignal(reply));
        return asFile(reply, 'csv', 'stock_downloads').send(csv);
      },
    );

    app.get(
      '/api/reseller/developer/stock-downloads',
      {
        config: { access: developer },
        schema: {
          operationId: 'listResellerDownloads',
          tags: ['resellers'],
          summary: 'List the files of serials that resellers have downloaded, newest first',
          description: 'Their codes are in stock until they are handed out or redeemed, but count as in circulation.',
          querystring: s.ListResellerDownloadsQuery,
          response: privateAnswers({ 200: s.StockDownloadPage }),
        },
      },
      async (request) => downloads.ofDeveloper(callerOf(request), request.query),
    );

    app.get(
      '/api/reseller/developer/resellers/:id/circulation',
      {
        config: { access: developer },
        schema: {
          operationId: 'getResellerCirculation',
          tags: ['resellers'],
          summary: 'Get the state of the serials that a reseller was given, by batch',
          params: IdParams,
          querystring: s.CirculationQuery,
          response: privateAnswers({ 200: s.Circulation }, 404),
        },
      },
      async (request) => circulations.get(callerOf(request), request.params.id, request.query),
    );
  };
}
