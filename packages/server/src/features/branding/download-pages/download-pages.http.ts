import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { languageOf, sendPage, wantsPage } from '#platform/http/answers/pages.ts';
import { logFailure, toAppError } from '#platform/http/answers/problem.ts';
import { pageLanguages } from './download-page-texts.ts';
import type { Asked, DownloadPages } from './download-pages.service.ts';

type AboutOf = (request: FastifyRequest) => Promise<Asked>;

/** What a notice needs from a request. */
export function visitOf(request: FastifyRequest, asked: Asked) {
  return { asked, host: request.host, language: languageOf(request, pageLanguages) };
}

/** Handles errors of routes that lead to a file: browsers get a page, other clients a problem document. */
export function fileErrorHandler(downloadPages: DownloadPages, aboutOf: AboutOf) {
  return async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (!wantsPage(request)) return request.server.errorHandler(error, request, reply);
    const failure = toAppError(error);
    logFailure(error, failure, request);
    if (failure.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(failure.retryAfter)));
    const asked = await aboutOf(request).catch(() => ({}));
    const page = await downloadPages.refused(failure, visitOf(request, asked));
    return sendPage(reply.code(failure.status).header('cache-control', 'no-store'), page);
  };
}
