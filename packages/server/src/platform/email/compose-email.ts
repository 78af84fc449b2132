import { type Brand, OUR_BRAND } from './brand.ts';
import type { EmailContent } from './email-content.ts';
import { emailHtml } from './email-html.ts';
import type { Email } from './mailer.ts';

const SUBJECT_LENGTH = 200;
const NAME_LENGTH = 80;

/** One plain email as text and as HTML. All input is escaped, and none of it can become a header. */
export function composeEmail(content: EmailContent): Email {
  const { brand = OUR_BRAND, unsubscribeUrl } = content;
  const subject = oneLine(content.subject, SUBJECT_LENGTH);
  return {
    to: content.to.replace(/[\p{Cc}\s]+/gu, ''),
    subject,
    text: textOf(content, brand),
    html: emailHtml({ ...content, subject }),
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

function textOf({ lines, serial, rows, list, link, unsubscribeUrl, words }: EmailContent, brand: Brand): string {
  const plain = (cells: string[][]) => cells.map((row) => row.filter(Boolean).join(' · ')).join('\n');
  return [
    ...lines,
    ...(serial ? [`${serial.label}\n${serial.code}`] : []),
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
