import { hash } from 'node:crypto';
import type { PaperParty, PaperTable } from '#platform/paper/pdf.ts';
import { escapeHtml } from '#platform/text/html.ts';
import type { InvoicePaper } from './invoice-paper.ts';

const STYLE = `
body { font: 14px/1.5 system-ui, sans-serif; color: #17161c; background: #fff; max-width: 45rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.75rem; margin: 0; }
h2, .label { font-size: 0.875rem; }
.label, .muted { color: #5c5a66; }
.parties { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 1.5rem 0; }
.parties section { flex: 1 1 14rem; overflow-wrap: anywhere; }
.parties p { margin: 0; white-space: pre-line; }
table { width: 100%; border-collapse: collapse; margin-bottom: 1.5rem; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.25rem; }
th, td { border-bottom: 1px solid #d9d7e0; padding: 0.375rem 0; vertical-align: top; }
th { font-weight: 400; text-align: left; color: #5c5a66; min-width: 6rem; }
td { text-align: right; padding-left: 1rem; min-width: 5rem; }
@media print { body { margin: 0; max-width: none; } }
`;

const STYLE_HASH = hash('sha256', STYLE, 'base64');

/** Nothing but its own style: no script, no picture, no form, and no page may frame it. */
export const INVOICE_CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** An invoice as a page to print. */
export function invoiceHtml({ title, subtitle, from, to, tables, note }: InvoicePaper): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p class="muted">${escapeHtml(subtitle)}</p>
<div class="parties">${[from, to].map(partyHtml).join('')}</div>
${tables.map(tableHtml).join('\n')}
<p class="muted">${escapeHtml(note)}</p>
</body>
</html>
`;
}

function partyHtml({ label, name, lines }: PaperParty): string {
  const rest = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  return `<section><p class="label">${escapeHtml(label)}</p><p><strong>${escapeHtml(name)}</strong></p>${rest}</section>`;
}

function tableHtml({ title, rows }: PaperTable): string {
  const cells = rows.map(
    ([label, value]) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table><caption>${escapeHtml(title)}</caption><tbody>${cells.join('')}</tbody></table>`;
}
