import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '#platform/http/app-kit.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import {
  fileConfig as config,
  legacyCredentialOf as credentialOf,
  forms,
  type LicenseGuards,
  licenseRequests,
  refusalOf,
} from '../requests/plugin-call.http.ts';
import * as s from './juce.schemas.ts';
import type { JuceUnlock } from './juce.service.ts';
import { juceFailure, juceSuccess } from './juce-xml.ts';

const XML = 'application/xml; charset=utf-8';
const xml = (description: string) => ({ description, content: { 'application/xml': { schema: s.Xml } } });

/** JUCE never looks at the HTTP status, so a refusal is a 200; what is no answer of a license keeps its own. */
const response = {
  200: xml('MESSAGE with a KEY, or ERROR'),
  413: xml('Too large'),
  415: xml('Unreadable'),
  429: xml('Too many requests'),
  500: xml('Internal server error'),
  503: xml('Temporarily unavailable'),
};

interface Services extends LicenseGuards {
  juceUnlock: JuceUnlock;
  countryOf: CountryOf;
}

/**
 * The plugin key identifies the plugin, as everywhere: in a header, or as app_id and app_key in the URL that the plugin
 * uses as its server. Responses, refusals included, are signed with the developer's key on request; stock clients do
 * not request it.
 */
export function juceRoutes({ juceUnlock: juce, countryOf, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    const callerOf = licenseRequests(app, guards, { credentialOf, refuse: refuseInXml });
    const answer = async (request: FastifyRequest, reply: FastifyReply, form: s.JuceForm) => {
      const keyFile = await juce.unlock(await callerOf(request), form, countryOf(request));
      return reply.type(XML).send(juceSuccess('Your plugin is unlocked.', keyFile));
    };
    const shared = {
      tags: ['licensing'],
      response,
    };

    app.post(
      '/api/license/juce/unlock',
      {
        config,
        schema: {
          ...shared,
          operationId: 'juceUnlock',
          summary: 'Unlock a stock JUCE plugin: JUCE’s form in, JUCE’s XML with a key file out',
          consumes: forms,
          body: s.JuceForm,
        },
      },
      (request, reply) => answer(request, reply, request.body),
    );

    app.get(
      '/api/license/juce/unlock',
      {
        config,
        // a look at the head must not take a seat
        exposeHeadRoute: false,
        schema: {
          ...shared,
          operationId: 'juceUnlockGet',
          summary: 'The same with the fields in the query',
          querystring: s.JuceQuery,
        },
      },
      (request, reply) => {
        reply.header('cache-control', 'no-store');
        return answer(request, reply, request.query);
      },
    );
  };
}

function refuseInXml(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message } = refusalOf(error, request, reply);
  return reply
    .code(code in response ? code : 200)
    .type(XML)
    .send(juceFailure(message));
}
