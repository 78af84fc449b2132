import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { filled, rowOrder } from '../src/ui/mark-cells.ts';
import { escapeHtml, type HelpPage, helpPages, renderNav, renderPage } from './render.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const TEMPLATE = 'help.html';

/** `/help`: the guides of the repository as pages in the product's look, rendered when the dashboard is built. */
export const help: Plugin = {
  name: 'help',
  configureServer(server) {
    server.middlewares.use(async (request, response, next) => {
      const slug = /^\/help(?:\/([a-z-]*))?(?:[?#]|$)/.exec(request.url ?? '');
      const pages = helpPages(root);
      const page = slug && pages.find((each) => each.slug === (slug[1] ?? ''));
      if (!page) return next();
      const template = server.config.root + TEMPLATE;
      const html = await server.transformIndexHtml(`/${TEMPLATE}`, await readFile(template, 'utf8'));
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(fill(html, page, pages));
    });
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const template = bundle[TEMPLATE];
      if (template?.type !== 'asset') return;
      const html = String(template.source);
      delete bundle[TEMPLATE];
      const pages = helpPages(root);
      for (const page of pages) {
        this.emitFile({
          type: 'asset',
          fileName: `help/${page.slug === '' ? 'index' : page.slug}.html`,
          source: fill(html, page, pages),
        });
      }
    },
  },
};

function fill(template: string, page: HelpPage, pages: HelpPage[]): string {
  const values: Record<string, string> = {
    title: escapeHtml(page.title),
    mark: rowOrder.map((_, cell) => rect(cell)).join(''),
    nav: renderNav(page, pages),
    content: renderPage(root, page, pages),
  };
  return template.replace(/\{\{(title|mark|nav|content)\}\}/g, (_, name: string) => values[name] as string);
}

function rect(cell: number): string {
  const [x, y] = [(cell % 4) * 8, Math.floor(cell / 4) * 8];
  return `<rect x="${x}" y="${y}" width="6" height="6" rx="1.6" opacity="${filled.has(cell) ? 1 : 0.24}"/>`;
}
