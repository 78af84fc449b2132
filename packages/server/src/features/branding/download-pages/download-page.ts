import { contrast } from '#platform/email/brand.ts';
import { escapeHtml } from '#platform/text/html.ts';
import type { BrandingView } from '../branding.schemas.ts';
import { type PageKind, type PageLanguage, type PageTexts, pageTexts } from './download-page-texts.ts';

export interface DownloadPage {
  kind: PageKind;
  language: PageLanguage;
  /** Null when the file's developer is unknown. */
  brand: BrandingView | null;
  /** Where the developer's customers open their downloads. */
  downloadsUrl: string;
  /** The product that the file belongs to. */
  product?: string | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  /** The link that downloads the file after all. */
  downloadUrl?: string | undefined;
}

const LIGHT = { canvas: '#faf9fb', text: '#1c1923', muted: '#5f5a6b', line: '#d5d1dd', surface: '#ffffff' };
const DARK = { canvas: '#0d0c10', text: '#f2f0f6', muted: '#aaa5b6', line: '#373440', surface: '#131217' };
const EDGE_CONTRAST = 3;
const TEXT_CONTRAST = 4.5;

/** A page that needs nothing else: no script, no style sheet, no session. The logo is all it loads. */
export function downloadPage(notice: DownloadPage): string {
  const { kind, language, brand } = notice;
  const texts: PageTexts = pageTexts[language];
  const minutes = Math.max(1, Math.ceil((notice.retryAfter ?? 60) / 60));
  const title = texts.title[kind];
  const name = brand?.company_name ?? '';
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">',
    `<meta name="color-scheme" content="${brand ? (brand.dark_mode ? 'dark' : 'light') : 'light dark'}">`,
    `<meta property="og:title" content="${escapeHtml([notice.product, name].filter(Boolean).join(' · ') || title)}">`,
    `<title>${escapeHtml([title, name].filter(Boolean).join(' · '))}</title>`,
    `<link rel="icon" href="${escapeHtml(brand?.logo_url ?? 'data:,')}"><style>${styleOf(brand)}</style>`,
  ].join('');
  const who = brand?.logo_url
    ? `<img src="${escapeHtml(brand.logo_url)}" alt="${escapeHtml(name)}">`
    : `<bdi class="name">${escapeHtml(name)}</bdi>`;
  const product = notice.product ? `<p class="product"><bdi>${escapeHtml(notice.product)}</bdi></p>` : '';
  const next = escapeHtml(texts.next[kind].replace('{n}', String(minutes)));
  return `<!doctype html><html lang="${language}"><head>${head}</head><body><header>${who}</header><main>${product}<h1>${escapeHtml(title)}</h1><p>${next}</p>${actions(notice, texts)}</main></body></html>`;
}

/** The first is what helps. */
function actions(notice: DownloadPage, texts: PageTexts): string {
  const { kind, downloadsUrl, downloadUrl } = notice;
  const help = helpUrl(notice, texts);
  const open = [downloadsUrl, texts.downloads] as const;
  const ask = help ? ([help, texts.requestHelp] as const) : null;
  const all =
    kind === 'ready' && downloadUrl
      ? [[downloadUrl, texts.download] as const]
      : kind === 'suspended' || kind === 'limit'
        ? [ask, open]
        : kind === 'failed'
          ? [open, ask]
          : [open];
  return all
    .filter((each) => each !== null)
    .map(([url, words]) => `<a class="button" rel="nofollow" href="${escapeHtml(url)}">${escapeHtml(words)}</a>`)
    .join('');
}

/**
 * An email to the developer, or their own page; without the serial, which the reader of a shared link need not know.
 */
function helpUrl({ brand, kind, product }: DownloadPage, texts: PageTexts): string | null {
  if (!brand?.support_email) return brand?.support_url ?? null;
  const about = kind === 'limit' || kind === 'suspended' ? kind : 'other';
  const fill = (text: string) => text.replace('{product}', () => product ?? brand.company_name ?? 'a plugin');
  const query = Object.entries({ subject: fill(texts.helpSubject), body: fill(texts.helpBody[about]) })
    .map(([field, value]) => `${field}=${encodeURIComponent(value.replaceAll('\n', '\r\n'))}`)
    .join('&');
  return `mailto:${encodeURIComponent(brand.support_email).replace('%40', '@')}?${query}`;
}

/** The developer chooses light or dark; without one it is the reader's system. */
function styleOf(brand: BrandingView | null): string {
  const colors = (ground: typeof LIGHT) => {
    const color = brand && /^#[0-9a-f]{6}$/i.test(brand.brand_color) ? brand.brand_color : ground.text;
    const onColor = contrast(color, '#ffffff') >= TEXT_CONTRAST ? '#ffffff' : '#000000';
    const edge = contrast(color, ground.canvas) >= EDGE_CONTRAST ? color : ground.muted;
    return `:root{--canvas:${ground.canvas};--text:${ground.text};--muted:${ground.muted};--line:${ground.line};--surface:${ground.surface};--brand:${color};--on-brand:${onColor};--edge:${edge}}`;
  };
  const dark = colors(DARK);
  const scheme = brand
    ? brand.dark_mode
      ? dark
      : colors(LIGHT)
    : `${colors(LIGHT)}@media(prefers-color-scheme:dark){${dark}}`;
  return scheme + LAYOUT;
}

const LAYOUT = [
  '*{box-sizing:border-box}',
  "body{margin:0;min-height:100svh;padding:0 20px;border-top:4px solid var(--brand);background:var(--canvas);color:var(--text);font:400 16px/1.5 'Inter Variable',ui-sans-serif,system-ui,sans-serif;-webkit-font-smoothing:antialiased}",
  'header,main{width:100%;max-width:440px;margin:0 auto}',
  'header{display:flex;align-items:center;min-height:64px;margin-top:clamp(20px,5vh,56px)}',
  'img{max-width:min(100%,260px);height:64px;object-fit:contain;object-position:left center}',
  '.name{font-size:20px;font-weight:620;letter-spacing:-.02em;overflow-wrap:anywhere}',
  'main{padding:clamp(16px,4vh,40px) 0 48px}',
  '.product{margin:0 0 8px;color:var(--muted);font-weight:550;overflow-wrap:anywhere}',
  'h1{margin:0;font-size:clamp(26px,6.5vw,34px);font-weight:620;letter-spacing:-.028em;line-height:1.16;text-wrap:balance;overflow-wrap:break-word}',
  ':lang(ja) h1{letter-spacing:0;line-height:1.3;word-break:auto-phrase}',
  'h1+p{margin:12px 0 32px;color:var(--muted);text-wrap:pretty}',
  '.button{display:flex;align-items:center;justify-content:center;min-height:52px;padding:8px 16px;border:1px solid var(--edge);border-radius:9px;background:var(--brand);color:var(--on-brand);font-weight:600;text-align:center;text-decoration:none}',
  '.button+.button{margin-top:12px;border-color:var(--line);background:var(--surface);color:var(--text)}',
  '.button:focus-visible{outline:3px solid var(--edge);outline-offset:3px}',
].join('');
