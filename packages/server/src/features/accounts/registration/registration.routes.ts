import { z } from 'zod';
import { imageForms, type Media } from '#features/media';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './registration.schemas.ts';
import type { Registration } from './registration.service.ts';

/** A file in a multipart form, held in memory: images of at most 10 MB. */
const File = z.any().optional().meta({ type: 'string', format: 'binary' });
const forms = ['application/json', 'multipart/form-data'];

export function registrationRoutes(registration: Registration, media: Media) {
  return async (app: App): Promise<void> => {
    await imageForms(app, media, { fields: 30, fieldSize: 10_000 });

    app.post(
      '/api/auth/register',
      {
        config: { access: { as: 'public' }, rateLimit: limits.register, idempotent: 'answer' },
        schema: {
          operationId: 'registerDeveloper',
          tags: ['accounts'],
          summary: 'Register as a developer',
          description: 'The response is the same if the address already has an account; an email to it explains that.',
          consumes: forms,
          body: s.RegisterDeveloperBody.extend({ logo: File }),
          response: answers({ 201: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { logo, ...form } = request.body;
        await registration.register('developer', form, await media.storeImage(logo, 'logo'));
        return reply.code(201).send({ message: 'Registration successful!' });
      },
    );

    app.post(
      '/api/reseller/register',
      {
        config: { access: { as: 'public' }, rateLimit: limits.register, idempotent: 'answer' },
        schema: {
          operationId: 'registerReseller',
          tags: ['accounts'],
          summary: 'Register as a reseller',
          consumes: forms,
          body: s.RegisterResellerBody.extend({ logo_url: File }),
          response: answers({ 201: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { logo_url, ...form } = request.body;
        await registration.register('reseller', form, await media.storeImage(logo_url, 'logo_url'));
        return reply.code(201).send({ message: 'Registration successful!' });
      },
    );
  };
}
