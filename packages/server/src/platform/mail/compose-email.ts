import { mailtoUrl } from '../email.ts';
import { escapeHtml } from '../html.ts';
import type { Language } from '../languages.ts';
import { type Brand, colorOf, OUR_BRAND, textOn } from './brand.ts';
import { darkStyle, LIGHT_INK } from './dark-style.ts';
import type { Mail } from './mailer.ts';

interface EmailContent {
  to: string;
  subject: string;
  /** Paragraphs. */
  lines: string[];
  /** A small table below them, without a header row. */
  rows?: string[][];
  link?: { label: string; url: string };
  /** A small one on top. The email must make sense without it: most programs ask before they load pictures. */
  picture?: { url: string; alt: string };
  /** A second table with a title. */
  list?: { title: string; rows: string[][] };
  /** What the email itself adds, for a reader in another language than English. */
  words?: { language: Language; help: string; unsubscribe?: string };
  /** A developer's email has the developer's branding and reply address; without a brand it is Tonerow's own. */
  brand?: Brand;
  /** For optional emails: accepts a POST for one-click unsubscribe (RFC 8058). */
  unsubscribeUrl?: string;
}

const SUBJECT_LENGTH = 200;
const NAME_LENGTH = 80;

/** One plain email as text and as HTML. All input is escaped, and none of it can become a header. */
export function composeEmail(content: EmailContent): Mail {
  const { brand = OUR_BRAND, unsubscribeUrl } = content;
  return {
    to: content.to.replace(/[\p{Cc}\s]+/gu, ''),
    subject: oneLine(content.subject, SUBJECT_LENGTH),
    text: textOf(content, brand),
    html: htmlOf(content, brand),
    ...(content.brand ? { fromName: oneLine(brand.name, NAME_LENGTH) } : {}),
    ...(brand.supportEmail ? { replyTo: brand.supportEmail.replace(/[\p{Cc}\s]+/gu, '') } : {}),
    ...(unsubscribeUrl
      ? {
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }
      : {}),
  };
}

function textOf({ lines, rows, list, link, unsubscribeUrl, words }: EmailContent, brand: Brand): string {
  const plain = (cells: string[][]) => cells.map((row) => row.filter(Boolean).join(' · ')).join('\n');
  return [
    ...lines,
    ...(rows?.length ? [plain(rows)] : []),
    ...(list ? [`${list.title}\n${plain(list.rows)}`] : []),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    [
      brand.name,
      ...(brand.supportEmail ? [`${words?.help ?? 'Help'}: ${brand.supportEmail}`] : []),
      ...(unsubscribeUrl ? [`${words?.unsubscribe ?? 'Unsubscribe'}: ${unsubscribeUrl}`] : []),
    ].join('\n'),
  ].join('\n\n');
}

function htmlOf(content: EmailContent, brand: Brand): string {
  const { subject, lines, rows, list, link, picture, unsubscribeUrl, words } = content;
  const color = colorOf(brand);
  const { paper, text, muted, edge } = LIGHT_INK(color);
  const logo = imageOf(
    { url: brand.logoUrl ?? '', alt: brand.name },
    'class="logo" height="40" style="display:block;width:auto;height:auto;max-width:200px;max-height:40px;margin:0 0 24px"',
  );
  const shown = picture
    ? imageOf(
        picture,
        'width="96" style="display:block;width:96px;height:auto;max-height:192px;border-radius:8px;margin:0 0 24px"',
      )
    : '';
  const paragraphs = lines
    .map((line) => `<p dir="auto" style="margin:0 0 16px">${escapeHtml(line).replaceAll('\n', '<br>')}</p>`)
    .join('');
  const table = rows?.length ? tableOf(rows) : '';
  const second = list
    ? `<p dir="auto" style="margin:24px 0 0;font-weight:600">${escapeHtml(list.title)}</p>${tableOf(list.rows)}`
    : '';
  const button = link
    ? `<p style="margin:24px 0"><a class="button" href="${escapeHtml(link.url)}" style="background:${color};color:${textOn(color)};border:1px solid ${edge};padding:12px 20px;border-radius:8px;text-decoration:none;display:inline-block">${escapeHtml(link.label)}</a></p>`
    : '';
  const foot = [
    escapeHtml(brand.name),
    ...(brand.supportEmail ? [anchor(mailtoUrl(brand.supportEmail), brand.supportEmail)] : []),
    ...(unsubscribeUrl ? [anchor(unsubscribeUrl, words?.unsubscribe ?? 'Unsubscribe')] : []),
  ].join(' · ');
  // without a viewport, a phone that opens it as a page shows it at a third of the size
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(oneLine(subject, SUBJECT_LENGTH))}</title><style>${darkStyle(color)}</style></head>`;
  // some programs drop the style of the body, or the body itself: the color is on both
  const ground = `margin:0;background:${paper};color:${text}`;
  return `<!doctype html><html lang="${words?.language ?? 'en'}">${head}<body class="paper" style="${ground};font:16px/1.6 system-ui,sans-serif"><div class="paper" style="${ground}"><div style="max-width:560px;margin:0 auto;padding:40px 24px;overflow-wrap:anywhere">${logo}${shown}${paragraphs}${table}${second}${button}<p class="muted" dir="auto" style="color:${muted};font-size:14px">${foot}</p></div></div></body></html>`;
}

/** Nothing for an address that an email cannot show. */
function imageOf({ url, alt }: { url: string; alt: string }, attributes: string): string {
  return /^https?:\/\//.test(url) ? `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" ${attributes}>` : '';
}

const tableOf = (rows: string[][]) =>
  `<table role="presentation" style="border-collapse:collapse;width:100%;margin:0 0 16px">${rows.map(rowOf).join('')}</table>`;

/** Longer than any word of ours or an amount. Only such words may break, or they would squeeze the other columns. */
const LONG_WORD = /\S{14}/;

function rowOf(cells: string[]): string {
  const wrap = (text: string) => (LONG_WORD.test(text) ? 'anywhere' : 'normal');
  const cell = (text: string) =>
    `<td class="line" dir="auto" style="overflow-wrap:${wrap(text)};padding:8px 8px 8px 0;border-bottom:1px solid #e4e4e7;vertical-align:top">${escapeHtml(text)}</td>`;
  return `<tr>${cells.map(cell).join('')}</tr>`;
}

const anchor = (url: string, text: string) =>
  `<a class="muted" href="${escapeHtml(url)}" style="color:#6a6a73">${escapeHtml(text)}</a>`;

/**
 * Makes text safe for a header: a line break would start another header, and a direction override could make the text
 * read differently. Truncated between characters, not within an emoji.
 */
function oneLine(text: string, length: number): string {
  const line = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  if (line.length <= length) return line;
  let short = '';
  for (const { segment } of new Intl.Segmenter('en').segment(line)) {
    if (short.length + segment.length > length - 1) break;
    short += segment;
  }
  return `${short}…`;
}
