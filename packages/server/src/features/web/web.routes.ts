import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { AppError, notFound } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { sendProblem } from '../../platform/http/problem.ts';

const DAY_SECONDS = 86_400;

/** The dashboard and the redemption page, built into a folder. Paths that no route takes belong to the dashboard. */
export function webRoutes(folder: string | undefined) {
  return async (app: App): Promise<void> => {
    const built = folder !== undefined && existsSync(path.join(folder, 'index.html'));
    if (built) {
      await app.register(fastifyStatic, { root: folder, serve: false });
      for (const name of ['assets', 'fonts']) {
        app.get(`/${name}/*`, { config: { access: { as: 'public' } }, schema: { hide: true } }, (request, reply) => {
          const file = (request.params as { '*': string })['*'];
          // file names carry a hash of the content
          return reply.sendFile(`${name}/${file}`, { maxAge: DAY_SECONDS * 365 * 1000, immutable: true });
        });
      }
    }
    const page = (reply: FastifyReply, file: string) =>
      reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false });

    app.setNotFoundHandler((request, reply) => {
      const url = request.url.split('?')[0] as string;
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (isApi(url) || !reads) return sendProblem(reply, notFound('Address'));
      if (!built) return sendProblem(reply, new AppError('not_found', 'The dashboard is not built.'));
      if (url === '/redeem' || url === '/redeem/') return page(reply, 'redeem.html');
      // a file that is not there must not be answered with a page
      if (/\.[a-z0-9]{1,6}$/i.test(url)) {
        return existsSync(path.join(folder, path.normalize(url)))
          ? page(reply, url.slice(1))
          : sendProblem(reply, notFound('File'));
      }
      return page(reply, 'index.html');
    });
  };
}

function isApi(url: string): boolean {
  return ['/api', '/media', '/internal', '/livez', '/readyz'].some(
    (root) => url === root || url.startsWith(`${root}/`),
  );
}
