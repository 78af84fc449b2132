import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type DownloadPages, fileErrorHandler, visitOf } from '#features/branding';
import { AppError } from '#platform/errors.ts';
import { sendPage } from '#platform/http/answers/pages.ts';
import { sendProblem } from '#platform/http/answers/problem.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './downloads.schemas.ts';
import type { Downloads } from './downloads.ts';
import { isPrefetch, isPreviewer } from './link-visits.ts';
import type { ProductCards } from './product-cards.ts';

const NOT_AHEAD = 'A download does not start ahead of a click.';

/** Only a click counts: not a look at the head, not what a browser fetches ahead, not the preview of a messenger. */
export function downloadRoutes(cards: ProductCards, downloads: Downloads, downloadPages: DownloadPages) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/products',
      {
        config: { access: { as: 'public' }, rateLimit: limits.redeem },
        schema: {
          operationId: 'listRedeemedProducts',
          tags: ['redemption'],
          summary: 'List the products a download token opens',
          body: s.ProductsBody,
          response: answers({ 200: s.OpenedProducts }, 401, ...WRITE),
        },
      },
      async (request) => ({ products: await cards.opened(request.body.download_token) }),
    );

    const config = { access: { as: 'public' } } as const;
    const tokenOf = (request: FastifyRequest) => (request.query as { token?: unknown }).token;
    const errorHandler = fileErrorHandler(downloadPages, async (request) => {
      const token = tokenOf(request);
      return typeof token === 'string' ? downloads.about(token) : {};
    });

    app.get(
      '/api/redeem/download',
      {
        config,
        exposeHeadRoute: false,
        errorHandler,
        schema: {
          operationId: 'downloadFile',
          tags: ['redemption'],
          summary: 'Count one download and redirect to the file',
          description:
            'A browser (`Accept: text/html`) gets a refusal as a page in the developer’s look. A customer’s download of one file counts once within six hours, whatever its resumes and segments. HEAD requests, prefetching browsers and link previews count nothing and are not redirected to the file.',
          querystring: s.DownloadQuery,
          response: answers({ 302: z.null().describe('Redirect to the file') }, 401, 403, 404),
        },
      },
      async (request, reply) => {
        const { token, start } = request.query;
        // so that the browser requests it again on a click
        if (isPrefetch(request.headers)) return sendProblem(reply, new AppError('unavailable', NOT_AHEAD));
        if (!start && isPreviewer(request.headers['user-agent'])) {
          await downloads.look(token);
          const visit = visitOf(request, await downloads.about(token));
          return sendPage(
            reply.code(403),
            await downloadPages.preview(`?token=${encodeURIComponent(token)}&start=1`, visit),
          );
        }
        const url = await downloads.follow(token);
        return reply.header('referrer-policy', 'no-referrer').redirect(url);
      },
    );

    app.head(
      '/api/redeem/download',
      {
        config,
        errorHandler,
        schema: { hide: true, querystring: s.DownloadQuery, response: answers({ 200: z.null() }, 401, 403, 404) },
      },
      async (request, reply) => {
        await downloads.look(request.query.token);
        return reply.send();
      },
    );
  };
}
