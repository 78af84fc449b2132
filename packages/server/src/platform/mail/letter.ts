import type { Mail } from './mailer.ts';

interface Letter {
  to: string;
  subject: string;
  /** Paragraphs. */
  lines: string[];
  link?: { label: string; url: string };
}

/** One plain letter as text and as HTML. Everything from outside is escaped. */
export function letter(content: Letter): Mail {
  const { lines, link } = content;
  const text = [...lines, ...(link ? [`${link.label}: ${link.url}`] : []), 'Tonerow'].join('\n\n');
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('');
  const button = link
    ? `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="background:#6d28d9;color:#fff;padding:12px 20px;border-radius:8px;text-decoration:none;display:inline-block">${escapeHtml(link.label)}</a></p>`
    : '';
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#f7f7f8;font:16px/1.6 system-ui,sans-serif;color:#18181b"><div style="max-width:560px;margin:0 auto;padding:40px 24px">${paragraphs}${button}<p style="color:#71717a;font-size:14px">Tonerow</p></div></body></html>`;
  // a line break in a subject would be a header of its own
  return { to: content.to, subject: content.subject.replace(/[\r\n]+/g, ' '), text, html };
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (sign) => entities[sign] as string);
}
