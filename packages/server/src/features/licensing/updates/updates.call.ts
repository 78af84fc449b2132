import { neverBlockedConfig, type PluginRoute, sameAnswer } from '../requests/plugin-call.http.ts';
import { wantedNonce } from '../tokens/answer-signature.ts';
import { PluginUpdate, UpdateQuery } from './updates.schemas.ts';
import type { Updates } from './updates.service.ts';

export const updatesRoute =
  (updates: Updates): PluginRoute =>
  (app, callerOf) =>
    app.get(
      '/api/license/v1/updates',
      {
        config: neverBlockedConfig,
        // a caller without a plugin key learns that first, and not what is wrong with the request
        preValidation: async (request) => void (await callerOf(request)),
        schema: {
          operationId: 'findPluginUpdate',
          tags: ['licensing'],
          summary: 'The newest version of a plugin, if it is newer than the one that asks',
          description:
            'Newest is what customers get now, once it is recorded as a version. Versions are compared by their numbers. A file is for the computer whose system its label or name speaks of, and for every processor unless it speaks of one.',
          querystring: UpdateQuery,
          response: { ...sameAnswer, 200: PluginUpdate },
        },
      },
      async (request, reply) => {
        const answer = await updates.answer(await callerOf(request), request.query);
        // an answer to a nonce is for one question
        reply.header('cache-control', wantedNonce(request.headers) === null ? 'private, max-age=300' : 'no-store');
        reply.header('vary', 'authorization, x-ss-api-key, x-app-id, x-app-key, x-tonerow-nonce, x-tonerow-sign');
        return answer;
      },
    );
