import QRCode from 'qrcode';
import { toCents } from '#platform/money.ts';
import { type Doc, drawParties, drawTable, MARGIN, MUTED, type PaperParty, pdfOf, WIDTH } from '#platform/paper/pdf.ts';
import { money, monthName } from '#platform/paper/words.ts';
import { utcDay } from '#platform/time/days.ts';
import { commissionRateOf, outstandingOf } from '../payout-rules.ts';
import type { Party } from '../payouts.entity.ts';
import type { PayoutPaymentView } from '../payouts.schemas.ts';
import type { SealedPayout } from '../statements/payouts.queries.ts';

/** A statement on paper: parties, figures, payments and the seal. Its transactions are in the CSV. */
export function statementPdf(payout: SealedPayout, payments: PayoutPaymentView[]): Promise<Buffer> {
  const { parties, rates, month, closed_at } = payout;
  const title = `Statement ${payout.number}`;
  const subtitle = `${monthName(month)} (UTC) · closed on ${utcDay(closed_at)}`;
  return pdfOf({ title, subtitle, createdAt: closed_at }, (doc) => {
    drawParties(doc, partyOf('Developer', parties.developer), partyOf('Reseller', parties.reseller));
    drawTable(doc, { title: 'Figures', rows: figuresOf(payout) });
    if (rates.length > 1) {
      const rows = rates.map(({ bps, redemptions, revenue_cents, commission_cents }): [string, string] => [
        `${bps / 100}% on ${redemptions.toLocaleString('en-US')} ${redemptions === 1 ? 'redemption' : 'redemptions'}, ${money(revenue_cents)}`,
        money(commission_cents),
      ]);
      drawTable(doc, { title: 'Commission by rate', rows });
    }
    if (payments.length > 0) {
      const rows = payments.map((each): [string, string] => [paymentWords(each), money(toCents(each.amount))]);
      drawTable(doc, { title: 'Payments', rows });
    }
    seal(doc, payout);
  });
}

function partyOf(label: string, { name, address, email, tax_id }: Party): PaperParty {
  const lines = [address, email, tax_id ? `Tax id: ${tax_id}` : null];
  return { label, name, lines: lines.filter((line): line is string => line !== null && line !== '') };
}

function paymentWords({ n, paid_on, method, reference, reverses, reason }: PayoutPaymentView): string {
  const details = reverses === null ? [method, reference] : [`takes back payment ${reverses}`, reason];
  return [`${n}. ${paid_on}`, ...details.filter(Boolean)].join(' · ');
}

function figuresOf(payout: SealedPayout): [string, string][] {
  const { parties: of, rates } = payout;
  return [
    ['Total redemptions', payout.total_redemptions.toLocaleString('en-US')],
    ['Average price', money(payout.avg_price_cents)],
    ['Total revenue', money(payout.total_revenue_cents)],
    ['Commission rate', `${commissionRateOf(rates, of.commission_bps)}%`],
    ['Reseller earned', money(payout.reseller_earned_cents)],
    ['Developer owed', money(payout.developer_owed_cents)],
    ['Refunds and adjustments', money(payout.adjustment_revenue_cents - payout.adjustment_commission_cents)],
    ['Brought forward', money(payout.brought_forward_cents)],
    ['Due', money(payout.due_cents)],
    ['Paid', money(payout.paid_cents)],
    ['Carried to a later statement', money(payout.carried_cents)],
    ['Outstanding', money(outstandingOf(payout))],
    ['Status', payout.status === 'paid' ? 'Complete' : `Pending (${payout.status})`],
  ];
}

const QR_SIZE = 84;

function seal(doc: Doc, { number, digest, previous_digest }: SealedPayout): void {
  if (doc.y > 612) doc.addPage();
  const top = doc.y;
  const width = WIDTH - QR_SIZE - 24;
  doc.font('bold').fontSize(11).fillColor('black').text('Seal', MARGIN, top, { width });
  doc.font('body').fontSize(8.5).fillColor(MUTED);
  doc.text(
    'SHA-256 over every figure and row of this statement and the digest of the statement before. "tonerow payouts verify" recounts it from the CSV. Sales count when the serial is redeemed; months are UTC.',
    { width },
  );
  doc.font('mono').fontSize(8).fillColor('black').text(digest, { width });
  if (previous_digest) doc.fillColor(MUTED).text(`after ${previous_digest}`, { width });
  const { modules } = QRCode.create(`tonerow statement ${number} ${digest}`, { errorCorrectionLevel: 'M' });
  const cell = QR_SIZE / modules.size;
  for (let y = 0; y < modules.size; y += 1)
    for (let x = 0; x < modules.size; x += 1)
      if (modules.get(y, x)) doc.rect(MARGIN + WIDTH - QR_SIZE + x * cell, top + y * cell, cell, cell);
  doc.fill('black');
}
