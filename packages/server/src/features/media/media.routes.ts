import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { answers } from '../../platform/http/schemas.ts';
import type { Media } from './media.service.ts';

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
  };
}
