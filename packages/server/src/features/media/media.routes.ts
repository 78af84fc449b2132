import multipart from '@fastify/multipart';
import { z } from 'zod';
import { MINUTE } from '#platform/clock.ts';
import { invalidField, notFound } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { slotsForForms } from '#platform/http/limits/body-slots.ts';
import { answers, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { MAX_IMAGE_BYTES } from '#platform/storage/images.ts';
import { limits } from './limits.ts';
import type { Media } from './media.service.ts';

/** Held in memory: images of at most 10 MB. */
const ImageForm = z.object({ file: z.any().optional().meta({ type: 'string', format: 'binary' }) });
const StoredImage = z.object({ url: z.string() }).meta({ id: 'StoredImage' });

export function mediaRoutes(media: Media) {
  return async (app: App): Promise<void> => {
    app.get(
      '/media/images/:name',
      {
        config: { access: { as: 'public' } },
        schema: {
          hide: true,
          params: z.object({ name: z.string() }),
          response: answers({ 200: z.any() }, 404),
        },
      },
      async (request, reply) => {
        const image = await media.openImage(request.params.name);
        if (!image) throw notFound('Image');
        // a name is never used twice, so the picture behind it never changes
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        reply.header('content-length', image.size);
        return reply.type('image/webp').send(image.stream);
      },
    );

    await app.register(uploads(media));
  };
}

/** Lets an encapsulated app accept forms with one image. Images are held in memory, so their number is limited. */
export async function imageForms(app: App, media: Media, limits: { fields: number; fieldSize: number }): Promise<void> {
  slotsForForms(app, media.slots, 2 * MINUTE);
  await app.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { ...limits, fileSize: MAX_IMAGE_BYTES, files: 1, parts: limits.fields + 1 },
  });
}

/** A scope of its own, so that only these routes read multipart forms. */
function uploads(media: Media) {
  return async (app: App): Promise<void> => {
    await imageForms(app, media, { fields: 10, fieldSize: 1000 });
    const schema = {
      tags: ['media'],
      description:
        'PNG, JPEG, WebP or GIF of at most 10 MB and 25 megapixels in the form field `file`. It is re-encoded as WebP.',
      consumes: ['multipart/form-data'],
      body: ImageForm,
      response: privateAnswers({ 200: StoredImage }, ...WRITE),
    };
    const store = async (form: z.output<typeof ImageForm>) => {
      const url = await media.storeImage(form.file, 'file');
      if (!url) throw invalidField('file', 'Choose an image.');
      return { url };
    };

    app.post(
      '/api/r2/upload-image',
      {
        config: { access: { as: 'user', scope: 'products:write' }, rateLimit: limits.images, idempotent: 'answer' },
        schema: { ...schema, operationId: 'uploadImage', summary: 'Upload a product image' },
      },
      async (request) => store(request.body),
    );

    app.post(
      '/api/products/upload-logo',
      {
        config: { access: { as: 'user', scope: 'account:write' }, rateLimit: limits.images, idempotent: 'answer' },
        schema: { ...schema, operationId: 'uploadLogo', summary: 'Upload the account’s logo' },
      },
      async (request) => store(request.body),
    );
  };
}
