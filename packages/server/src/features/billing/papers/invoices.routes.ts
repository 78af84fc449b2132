import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import { sendPage } from '#platform/http/answers/pages.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, page, privateAnswers } from '#platform/http/schemas.ts';
import type { Exports } from '#platform/spool/exports.ts';
import type { Invoices } from '../statements/invoices.service.ts';
import * as s from '../statements/statements.schemas.ts';
import { INVOICE_CSP, invoiceHtml } from './invoice-html.ts';
import { invoicePaper } from './invoice-paper.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { invoicesCsv } from './invoices-csv.ts';

const access = { as: 'user', role: 'developer', scope: 'account:read' } as const;

interface Services {
  invoices: Invoices;
  exports: Exports;
  /** The issuer's name, then further lines. */
  issuer: readonly string[];
}

export function invoiceRoutes({ invoices, exports, issuer }: Services) {
  const paperOf = async (developerId: string, id: string) => {
    const { row, lines } = await invoices.find(developerId, id);
    return invoicePaper(row, lines, issuer);
  };
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/invoices',
      {
        config: { access, stream: 'rows' },
        schema: {
          operationId: 'listInvoices',
          tags: ['billing'],
          summary: 'List the invoices of the account, the newest month first',
          description:
            'One per calendar month (UTC) in which something was used or the plan had a fee, made by the close of the month. As CSV: all that match, on one page.',
          querystring: s.InvoiceQuery,
          response: privateAnswers({ 200: orCsv(s.InvoicePage, 'A page of invoices') }, 406),
        },
      },
      async (request, reply) => {
        const { accountId } = callerOf(request);
        const form = jsonOrCsv(request);
        if (form === 'json') return invoices.list(accountId, request.query);
        const rows = await exports.open(accountId, invoicesCsv(accountId, request.query), abortSignal(reply));
        return asFile(reply, 'csv', 'invoices').send(rows);
      },
    );

    app.get(
      '/api/billing/invoices/:id',
      {
        config: { access, stream: 'rows' },
        schema: {
          operationId: 'getInvoice',
          tags: ['billing'],
          summary: 'Get an invoice with its lines, who is billed and its state',
          params: IdParams,
          response: privateAnswers({ 200: s.Invoice }, 404),
        },
      },
      async (request) => invoices.get(callerOf(request).accountId, request.params.id),
    );

    app.get(
      '/api/billing/invoices/:id/print',
      {
        config: { access, stream: 'rows' },
        schema: {
          operationId: 'printInvoice',
          tags: ['billing'],
          summary: 'Get an invoice, or its receipt when it is paid, as a page to print',
          params: IdParams,
          response: privateAnswers({ 200: page('The invoice') }, 404),
        },
      },
      async (request, reply) => {
        const paper = await paperOf(callerOf(request).accountId, request.params.id);
        return sendPage(reply.header('content-security-policy', INVOICE_CSP), invoiceHtml(paper));
      },
    );

    app.get(
      '/api/billing/invoices/:id/pdf',
      {
        config: { access, stream: 'rows' },
        schema: {
          operationId: 'downloadInvoicePdf',
          tags: ['billing'],
          summary: 'Download an invoice, or its receipt when it is paid, as PDF',
          params: IdParams,
          response: privateAnswers(
            { 200: { description: 'The invoice', content: { 'application/pdf': { schema: z.any() } } } },
            404,
          ),
        },
      },
      async (request, reply) => {
        const paper = await paperOf(callerOf(request).accountId, request.params.id);
        const name = paper.title.toLowerCase().replace(' ', '-');
        const pdf = await invoicePdf(paper);
        return reply
          .type('application/pdf')
          .header('content-disposition', `attachment; filename="${name}.pdf"`)
          .send(pdf);
      },
    );
  };
}
