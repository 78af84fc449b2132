import { drawParties, drawTable, MUTED, pdfOf } from '#platform/paper/pdf.ts';
import type { InvoicePaper } from './invoice-paper.ts';

/** An invoice as PDF: the same bytes whenever it is made, until it is paid. */
export function invoicePdf(paper: InvoicePaper): Promise<Buffer> {
  return pdfOf(paper, (doc) => {
    drawParties(doc, paper.from, paper.to);
    for (const table of paper.tables) drawTable(doc, table);
    doc.font('body').fontSize(8.5).fillColor(MUTED).text(paper.note);
  });
}
