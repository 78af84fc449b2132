import { mailtoUrl } from '../email.ts';
import { escapeHtml } from '../html.ts';
import { type Brand, colorOf, edgeOf, OUR_BRAND, PAPER, textOn } from './brand.ts';
import type { Mail } from './mailer.ts';

interface EmailContent {
  to: string;
  subject: string;
  /** Paragraphs. */
  lines: string[];
  /** A small table below them, without a header row. */
  rows?: string[][];
  link?: { label: string; url: string };
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

function textOf({ lines, rows, link, unsubscribeUrl }: EmailContent, brand: Brand): string {
  return [
    ...lines,
    ...(rows?.length ? [rows.map((cells) => cells.join(' · ')).join('\n')] : []),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    [
      brand.name,
      ...(brand.supportEmail ? [`Help: ${brand.supportEmail}`] : []),
      ...(unsubscribeUrl ? [`Unsubscribe: ${unsubscribeUrl}`] : []),
    ].join('\n'),
  ].join('\n\n');
}

function htmlOf({ subject, lines, rows, link, unsubscribeUrl }: EmailContent, brand: Brand): string {
  const color = colorOf(brand);
  const logo =
    brand.logoUrl && /^https?:\/\//.test(brand.logoUrl)
      ? `<img src="${escapeHtml(brand.logoUrl)}" alt="${escapeHtml(brand.name)}" height="40" style="display:block;width:auto;height:auto;max-width:200px;max-height:40px;margin:0 0 24px">`
      : '';
  const paragraphs = lines
    .map((line) => `<p dir="auto" style="margin:0 0 16px">${escapeHtml(line).replaceAll('\n', '<br>')}</p>`)
    .join('');
  const table = rows?.length
    ? `<table style="border-collapse:collapse;width:100%;margin:0 0 16px">${rows.map(rowOf).join('')}</table>`
    : '';
  const button = link
    ? `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="background:${color};color:${textOn(color)};border:1px solid ${edgeOf(color)};padding:12px 20px;border-radius:8px;text-decoration:none;display:inline-block">${escapeHtml(link.label)}</a></p>`
    : '';
  const foot = [
    escapeHtml(brand.name),
    ...(brand.supportEmail ? [anchor(mailtoUrl(brand.supportEmail), brand.supportEmail)] : []),
    ...(unsubscribeUrl ? [anchor(unsubscribeUrl, 'Unsubscribe')] : []),
  ].join(' · ');
  // without a viewport, a phone that opens it as a page shows it at a third of the size
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(oneLine(subject, SUBJECT_LENGTH))}</title></head>`;
  return `<!doctype html><html lang="en">${head}<body style="margin:0;background:${PAPER};font:16px/1.6 system-ui,sans-serif;color:#18181b"><div style="max-width:560px;margin:0 auto;padding:40px 24px;overflow-wrap:anywhere">${logo}${paragraphs}${table}${button}<p dir="auto" style="color:#71717a;font-size:14px">${foot}</p></div></body></html>`;
}

/** Longer than any word of ours or an amount. Only such words may break, or they would squeeze the other columns. */
const LONG_WORD = /\S{14}/;

function rowOf(cells: string[]): string {
  const wrap = (text: string) => (LONG_WORD.test(text) ? 'anywhere' : 'normal');
  const cell = (text: string) =>
    `<td dir="auto" style="overflow-wrap:${wrap(text)};padding:8px 8px 8px 0;border-bottom:1px solid #e4e4e7;vertical-align:top">${escapeHtml(text)}</td>`;
  return `<tr>${cells.map(cell).join('')}</tr>`;
}

const anchor = (url: string, text: string) =>
  `<a href="${escapeHtml(url)}" style="color:#71717a">${escapeHtml(text)}</a>`;

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
