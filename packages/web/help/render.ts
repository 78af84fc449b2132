import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

export interface HelpPage {
  /** The last part of its address; empty for the list of guides. */
  slug: string;
  title: string;
  /** The file's path from the root of the repository. */
  file: string;
}

/** The guides in the order of their list, followed by the operator's manual. */
export function helpPages(root: string): HelpPage[] {
  const folder = 'docs/guides';
  const list = readFileSync(path.join(root, folder, 'README.md'), 'utf8');
  const linked = [...list.matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, name]) => name as string);
  const missing = readdirSync(path.join(root, folder)).filter(
    (file) => file !== 'README.md' && !linked.includes(file.replace(/\.md$/, '')),
  );
  if (missing.length > 0) throw new Error(`docs/guides/README.md does not link ${missing.join(', ')}`);
  const page = (slug: string, file: string): HelpPage => ({ slug, file, title: titleOf(path.join(root, file)) });
  return [
    page('', `${folder}/README.md`),
    ...linked.map((slug) => page(slug, `${folder}/${slug}.md`)),
    page('operations', 'docs/operations.md'),
  ];
}

/** A page's Markdown as HTML. Links among the pages lead to `/help`; links to other files of the repository are text. */
export function renderPage(root: string, page: HelpPage, pages: readonly HelpPage[]): string {
  const markdown = new MarkdownIt();
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, index) => {
    const { info, content } = tokens[index] as Token;
    const kind = info.trim() === 'text' ? 'class="output" aria-label="Output"' : 'class="code"';
    return `<pre ${kind} tabindex="0"><code>${escapeHtml(content.trimEnd())}</code></pre>\n`;
  };
  const tokens = markdown.parse(readFileSync(path.join(root, page.file), 'utf8'), {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', slugOf(tokens[index + 1]?.content ?? ''));
    let leadsAway = false;
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') {
        const address = addressOf(String(child.attrGet('href')), page, pages);
        leadsAway = address === null;
        child.attrs = address === null ? null : [['href', address]];
      }
      if (leadsAway && child.type.startsWith('link_')) child.tag = 'span';
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** The sidebar with the list of pages; the open one is marked. */
export function renderNav(page: HelpPage, pages: readonly HelpPage[]): string {
  const items = pages.map(({ slug, title }) => {
    const current = slug === page.slug ? ' aria-current="page"' : '';
    return `<li><a href="/help${slug === '' ? '' : `/${slug}`}"${current}>${escapeHtml(slug === '' ? 'All guides' : title)}</a></li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

/** The address of a link, or null when it leads to a file that is not a page. */
function addressOf(href: string, page: HelpPage, pages: readonly HelpPage[]): string | null {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = path.posix.join(path.posix.dirname(page.file), file);
  const found = pages.find((each) => each.file === target);
  if (!found) return null;
  return `/help${found.slug === '' ? '' : `/${found.slug}`}${anchor ? `#${anchor}` : ''}`;
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? path.basename(file);
}
