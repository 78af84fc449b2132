import { AppError } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';
import { type ClientArchive, clientArchive } from './client-archive.ts';
import { limits } from './limits.ts';
import type { DeveloperOfHost } from './web.routes.ts';

/** The terminal client of this server's own version, for `npm install --global https://…/cli/tonerow.tgz`. */
export function clientRoutes(folder: string, developerOfHost: DeveloperOfHost) {
  let archive: Promise<ClientArchive | null> | undefined;
  /** Made once, when it is wanted first; again only where it could not be made. */
  const made = async () => {
    archive ??= clientArchive(folder);
    const found = await archive.catch((error) => {
      archive = undefined;
      throw error;
    });
    if (found === null) archive = undefined;
    return found;
  };
  return async (app: App): Promise<void> => {
    app.get(
      '/cli/tonerow.tgz',
      { config: { access: { as: 'public' }, rateLimit: limits.client }, schema: { hide: true } },
      async (request, reply) => {
        // on a developer's own domain there is the redemption page and nothing else
        if ((await developerOfHost(request.host)) !== null) return reply.redirect('/');
        const found = await made();
        if (found === null) throw new AppError('not_found', 'The terminal client is not built.');
        reply.headers({ etag: found.etag, 'cache-control': 'no-cache' });
        if (request.headers['if-none-match'] === found.etag) return reply.code(304).send();
        return reply.type('application/gzip').send(found.bytes);
      },
    );
  };
}
