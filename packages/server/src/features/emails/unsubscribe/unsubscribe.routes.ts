import querystring from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidField } from '#platform/errors.ts';
import { languageOf, sendPage, wantsPage } from '#platform/http/answers/pages.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, page, WRITE } from '#platform/http/schemas.ts';
import { LANGUAGES } from '#platform/text/languages.ts';
import * as s from '../emails.schemas.ts';
import type { CustomerUpdates } from './customer-updates.service.ts';
import type { Unsubscribing } from './unsubscribe.service.ts';
import { unsubscribePage, updatesPage, updatesWords } from './unsubscribe-page.ts';

/** A scope of its own: email clients send forms here (RFC 8058), and the address alone has the token. */
export function unsubscribeRoutes(unsubscribing: Unsubscribing, customerUpdates: CustomerUpdates) {
  return async (app: App): Promise<void> => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: FastifyRequest, body: string) => querystring.parse(body),
    );
    app.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, async () => ({}));
    app.addHook('preValidation', (request, _reply, done) => {
      request.body ??= {};
      done();
    });

    app.post(
      '/api/unsubscribe',
      {
        config: { access: { as: 'public' } },
        schema: {
          operationId: 'unsubscribe',
          tags: ['account'],
          summary: 'Unsubscribe from the kind of email that contained the link',
          description:
            'The token is in the body, or in the URL as email clients send it (RFC 8058). A developer’s customer can ask for the emails again.',
          querystring: s.UnsubscribeQuery,
          body: s.UnsubscribeBody,
          response: answers(
            { 200: { description: 'Done', content: { 'application/json': { schema: Message } } } },
            ...WRITE,
          ),
        },
      },
      async (request, reply) => {
        const token = request.body.token ?? request.query.token;
        if (!token) throw invalidField('token', 'Required.');
        const { updates } = request.body;
        const chosen = await customerUpdates.choose(token, updates ?? 'stop');
        if (chosen) {
          const language = chosen.language ?? languageOf(request, LANGUAGES);
          if (wantsPage(request)) return sendPage(reply, updatesPage(chosen, language, true));
          return { message: updatesWords(chosen.state, chosen.developer, language) };
        }
        if (updates) throw new AppError('link_invalid');
        const message = await unsubscribing.unsubscribe(token);
        if (!wantsPage(request)) return { message };
        return sendPage(reply, unsubscribePage(message, false));
      },
    );

    app.get(
      '/api/unsubscribe',
      {
        config: { access: { as: 'public' } },
        schema: {
          hide: true,
          querystring: s.UnsubscribePageQuery,
          response: answers({ 200: page('Asks first'), 422: page('The link has expired') }),
        },
      },
      // programs that look at every link in an email come here too, so nothing is changed yet
      async (request, reply) => {
        const updates = await customerUpdates.about(request.query.token);
        if (updates) {
          const language = updates.language ?? languageOf(request, LANGUAGES);
          return sendPage(reply, updatesPage(updates, language, false));
        }
        const about = unsubscribing.about(request.query.token);
        if (about) return sendPage(reply, unsubscribePage(`Stop receiving ${about}?`, true));
        const tooOld = 'This link has expired. Sign in and switch these emails off in your settings.';
        return sendPage(reply.code(422), unsubscribePage(tooOld, false));
      },
    );
  };
}
