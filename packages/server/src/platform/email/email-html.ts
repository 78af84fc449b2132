import { mailtoUrl } from '../text/email-address.ts';
import { escapeHtml } from '../text/html.ts';
import { type Brand, colorOf, OUR_BRAND, textOn } from './brand.ts';
import type { EmailContent } from './email-content.ts';
import { darkStyle, edges, INK, OUR_REST } from './ink.ts';

const { paper, card, text, muted, line, plate } = INK.light;
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

/**
 * The email as a page. Each element has its colors inline, because some programs drop style sheets; the style sheet has
 * only the dark version.
 */
export function emailHtml(content: EmailContent): string {
  const { brand = OUR_BRAND } = content;
  const color = colorOf(brand);
  const { subject, lines, serial, rows, list, link, picture, unsubscribeUrl, words } = content;
  const body = [
    picture ? pictureOf(picture) : '',
    `<h1 dir="auto" style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700">${escapeHtml(subject)}</h1>`,
    ...lines.map(paragraph),
    serial ? serialBox(serial) : '',
    rows?.length ? tableOf(rows, true) : '',
    list
      ? `<p dir="auto" style="margin:24px 0 4px;font-weight:600">${escapeHtml(list.title)}</p>${tableOf(list.rows, false)}`
      : '',
    link ? button(link, color) : '',
  ].join('');
  const foot = [
    escapeHtml(brand.name),
    ...(brand.supportEmail ? [anchor(mailtoUrl(brand.supportEmail), brand.supportEmail)] : []),
    ...(unsubscribeUrl ? [anchor(unsubscribeUrl, words?.unsubscribe ?? 'Unsubscribe')] : []),
  ].join(' · ');
  // without a viewport, a phone that opens it as a page shows it at a third of the size
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${darkStyle(color)}</style></head>`;
  // some programs drop the style of the body, or the body itself: the color is on both
  const ground = `margin:0;background:${paper};color:${text}`;
  return `<!doctype html><html lang="${words?.language ?? 'en'}">${head}<body class="paper" style="${ground};font:16px/1.6 system-ui,sans-serif"><div class="paper" style="${ground}"><div style="max-width:560px;margin:0 auto;padding:32px 12px;overflow-wrap:anywhere"><div style="padding:0 20px 20px">${content.brand ? sender(content.brand) : ourMark()}</div><div class="card" style="background:${card};border:1px solid ${line};border-radius:12px;padding:28px 20px">${body}</div><p class="muted" dir="auto" style="color:${muted};font-size:14px;margin:20px 20px 0">${foot}</p></div></div></body></html>`;
}

/** The developer's logo, or the name where there is none. */
function sender(brand: Brand): string {
  const style = 'display:block;width:auto;height:auto;max-width:200px;max-height:40px;font-weight:700';
  const logo = imageOf({ url: brand.logoUrl ?? '', alt: brand.name }, `class="logo" height="40" style="${style}"`);
  return logo || `<p dir="auto" style="margin:0;font-size:18px;font-weight:700">${escapeHtml(brand.name)}</p>`;
}

/** The mark of Tonerow, drawn without an image: the notes of each row that sound. */
const NOTES = ['1011', '0110', '1101'];

function ourMark(): string {
  const cell = (note: string) =>
    `<td class="${note === '1' ? 'note' : 'rest'}" style="width:5px;height:5px;padding:0;border-radius:1px;background:${note === '1' ? OUR_BRAND.color : OUR_REST}"></td>`;
  const rows = NOTES.map((row) => `<tr>${[...row].map(cell).join('')}</tr>`).join('');
  return `<table role="presentation" style="border-collapse:collapse"><tr><td style="padding:0 8px 0 0"><table role="presentation" aria-hidden="true" style="border-collapse:separate;border-spacing:2px;font-size:0;line-height:0">${rows}</table></td><td style="padding:0;font-size:18px;font-weight:700">${OUR_BRAND.name}</td></tr></table>`;
}

const pictureOf = (picture: { url: string; alt: string }) =>
  imageOf(
    picture,
    'width="96" style="display:block;width:96px;height:auto;max-height:192px;border-radius:8px;margin:0 0 20px"',
  );

/** Nothing for an address that an email cannot show. */
function imageOf({ url, alt }: { url: string; alt: string }, attributes: string): string {
  return /^https?:\/\//.test(url) ? `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" ${attributes}>` : '';
}

const paragraph = (text: string) =>
  `<p dir="auto" style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

function serialBox({ label, code }: { label: string; code: string }): string {
  return `<div class="plate" style="background:${plate};border:1px solid ${line};border-radius:8px;padding:14px 16px;margin:0 0 16px"><div class="muted" dir="auto" style="color:${muted};font-size:14px">${escapeHtml(label)}</div><div dir="ltr" style="font-family:${MONO};font-size:20px;line-height:1.4;font-weight:600">${escapeHtml(code)}</div></div>`;
}

function button({ label, url }: { label: string; url: string }, color: string): string {
  const style = `background:${color};color:${textOn(color)};border:1px solid ${edges(color).light};padding:12px 20px;border-radius:8px;text-decoration:none;display:inline-block;font-weight:600`;
  return `<p style="margin:24px 0 0"><a class="button" href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`;
}

/** @param labels whether a row of two is a label and its value, not a name and its figure. */
const tableOf = (rows: string[][], labels: boolean) =>
  `<table role="presentation" style="border-collapse:collapse;width:100%;margin:0 0 16px">${rows.map((cells) => rowOf(cells, labels && cells.length === 2)).join('')}</table>`;

/** Longer than any word of ours or an amount. Only such words may break, or they would squeeze the other columns. */
const LONG_WORD = /\S{14}/;
/** An amount, a number or a size. They line up at the right. */
const FIGURE = /^[-−$€£\d][\d.,\s]*(?:%|[KMGT]?B|redemptions?)?$/;

function rowOf(cells: string[], labeled: boolean): string {
  const cell = (content: string, at: number) => {
    const label = labeled && at === 0;
    const figure = !labeled && at > 0 && FIGURE.test(content);
    const wrap = LONG_WORD.test(content) ? 'anywhere' : 'normal';
    const look = label
      ? `color:${muted};width:34%`
      : figure
        ? 'text-align:right;white-space:nowrap'
        : 'text-align:start';
    return `<td class="line${label ? ' muted' : ''}" dir="auto" style="overflow-wrap:${wrap};padding:8px ${at === cells.length - 1 ? 0 : 12}px 8px 0;border-bottom:1px solid ${line};vertical-align:top;${look}">${escapeHtml(content)}</td>`;
  };
  return `<tr>${cells.map(cell).join('')}</tr>`;
}

const anchor = (url: string, label: string) =>
  `<a class="muted" href="${escapeHtml(url)}" style="color:${muted}">${escapeHtml(label)}</a>`;
