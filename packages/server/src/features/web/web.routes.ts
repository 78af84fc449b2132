import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorCodes, notFound } from '#platform/errors.ts';
import { policyWith } from '#platform/http/answers/headers.ts';
import { sendProblem } from '#platform/http/answers/problem.ts';
import type { App } from '#platform/http/app-kit.ts';
import { limits } from './limits.ts';

const DAY_SECONDS = 86_400;

/** Port: the developer whose custom domain is in a Host header, or null. */
export type DeveloperOfHost = (host: string) => Promise<string | null>;

/** The screen where a card is entered. It is always loaded as a document, and no other screen stays in that document. */
const CARD_SCREEN = '/dashboard/settings/card';

/**
 * The sources that Stripe's own fields need there: its script, its frames with the bank's question in them, and its
 * API. These are the hosts of <https://docs.stripe.com/security/guide#content-security-policy>, except
 * maps.googleapis.com, which only a field for addresses needs.
 */
const cardPolicy = policyWith({
  'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'connect-src': ['https://api.stripe.com'],
});

/**
 * The dashboard, the redemption page and the API reference, built into a folder. Paths that no route takes belong to
 * the dashboard; on a developer's own domain there is the redemption page and nothing else.
 * @param cards whether cards can be entered.
 */
export function webRoutes(folder: string | undefined, cards: boolean, developerOfHost: DeveloperOfHost) {
  return async (app: App): Promise<void> => {
    const built = folder !== undefined && existsSync(path.join(folder, 'index.html'));
    if (built) {
      await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, dotfiles: 'ignore' });
      for (const name of ['assets', 'fonts']) {
        const config = { access: { as: 'public' as const }, rateLimit: limits.files };
        app.get(`/${name}/*`, { config, schema: { hide: true } }, (request, reply) => {
          const file = (request.params as { '*': string })['*'];
          // file names carry a hash of the content
          return reply.sendFile(`${name}/${file}`, { maxAge: DAY_SECONDS * 365 * 1000, immutable: true });
        });
      }
    }
    const files = new Set(built ? publicFiles(folder, '') : []);
    const helpFiles = new Set(built ? publicFiles(folder, 'help') : []);
    const page = (reply: FastifyReply, file: string) =>
      reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false });

    const help = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!built) return sendProblem(reply, new AppError('not_found', 'The help pages are not built.'));
      if ((await developerOfHost(request.host)) !== null) return reply.redirect('/');
      const { page: name = 'index' } = request.params as { page?: string };
      const file = `help/${name}.html`;
      return helpFiles.has(file) ? page(reply, file) : page(reply.code(404), 'help/index.html');
    };
    for (const url of ['/help', '/help/:page'])
      app.get(url, { config: { access: { as: 'public' } }, schema: { hide: true } }, help);

    app.setNotFoundHandler(async (request, reply) => {
      const url = pathOf(request.url);
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (isApi(url) || !reads) return sendProblem(reply, notFound('Address'));
      if (!built) return sendProblem(reply, new AppError('not_found', 'The dashboard is not built.'));
      if (url === '/redeem' || url === '/redeem/') return page(reply, 'redeem.html');
      // a file that is not there must not be answered with a page
      if (/\.[a-z0-9]{1,6}$/i.test(url) && url !== '/index.html') {
        return files.has(url.slice(1)) ? page(reply, url.slice(1)) : sendProblem(reply, notFound('File'));
      }
      if ((await developerOfHost(request.host)) === null) {
        if (cards && url.replace(/\/$/, '') === CARD_SCREEN) reply.headers(cardPolicy);
        return page(reply, url === '/docs' || url === '/docs/' ? 'docs.html' : 'index.html');
      }
      return url === '/' ? page(reply, 'redeem.html') : reply.redirect('/');
    });
  };
}

/** The files directly in a folder of the build, without compressed copies and the build's own notes. */
function publicFiles(root: string, folder: string): string[] {
  const place = path.join(root, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|\.(?:br|gz)$/.test(entry.name))
    .map(({ name }) => path.posix.join(folder, name));
}

/** The path of an address, without the query, `..`, and the scheme and host that a proxy's request line may name. */
function pathOf(url: string): string {
  const own = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] as string;
  return path.posix.normalize(`/${own}`);
}

/** The API, and where monitoring looks, here or on another port: it must not take a page of the dashboard for health. */
const NO_PAGES = ['/api', '/media', '/internal', '/livez', '/readyz', '/startupz', '/health', '/healthz', '/metrics'];

function isApi(url: string): boolean {
  if (NO_PAGES.some((root) => url === root || url.startsWith(`${root}/`))) return true;
  const [, code] = /^\/problems\/([^/]*)\/?$/.exec(url) ?? [];
  return code !== undefined && !errorCodes.some((each) => each === code);
}
