import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import QRCode from 'qrcode';
import { toDollars } from '../../../platform/money.ts';
import { commissionRateOf, outstandingOf } from '../payout-rules.ts';
import type { Party } from '../payouts.entity.ts';
import type { PayoutPaymentView } from '../payouts.schemas.ts';
import type { PayoutRow } from '../statements/payouts.queries.ts';

const require = createRequire(import.meta.url);
const fonts = {
  body: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
};

const MARGIN = 54;
const WIDTH = 612 - 2 * MARGIN;
const MUTED = '#5c5a66';
const LINE = '#d9d7e0';

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const money = (cents: number) => usd.format(toDollars(cents));
const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = (moment: Date) => moment.toISOString().slice(0, 10);

/** A statement on paper: parties, figures, payments and the seal. Its transactions are in the CSV. */
export async function statementPdf(payout: PayoutRow, payments: PayoutPaymentView[]): Promise<Buffer> {
  const title = `Statement ${payout.number}`;
  const doc = new PDFDocument({
    size: [612, 792],
    margin: MARGIN,
    // the same paper whenever it is made
    info: { Title: title, Creator: 'Tonerow', Producer: 'Tonerow', CreationDate: payout.closed_at },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject));
  for (const [name, file] of Object.entries(fonts)) doc.registerFont(name, file);

  doc.font('bold').fontSize(20).text(title);
  doc.font('body').fontSize(10).fillColor(MUTED);
  doc.text(`${months.format(new Date(`${payout.month}T00:00:00Z`))} (UTC) · closed on ${day(payout.closed_at)}`);
  doc.moveDown(1.5);
  parties(doc, payout);
  table(doc, 'Figures', figuresOf(payout));
  if (payout.rates.length > 1) {
    const rows = payout.rates.map(({ bps, redemptions, revenue_cents, commission_cents }): [string, string] => [
      `${bps / 100}% on ${redemptions.toLocaleString('en-US')} redemptions, ${money(revenue_cents)}`,
      money(commission_cents),
    ]);
    table(doc, 'Commission by rate', rows);
  }
  if (payments.length > 0) {
    table(
      doc,
      'Payments',
      payments.map((each) => [paymentWords(each), money(Math.round(each.amount * 100))]),
    );
  }
  seal(doc, payout);
  doc.end();
  await done;
  return Buffer.concat(parts);
}

function paymentWords({ n, paid_on, method, reference, reverses, reason }: PayoutPaymentView): string {
  const details = reverses === null ? [method, reference] : [`takes back payment ${reverses}`, reason];
  return [`${n}. ${paid_on}`, ...details.filter(Boolean)].join(' · ');
}

function figuresOf(payout: PayoutRow): [string, string][] {
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

type Doc = InstanceType<typeof PDFDocument>;

function parties(doc: Doc, { parties: { developer, reseller } }: PayoutRow): void {
  const top = doc.y;
  const column = WIDTH / 2 - 12;
  party(doc, 'Developer', developer, MARGIN, top, column);
  const left = doc.y;
  party(doc, 'Reseller', reseller, MARGIN + WIDTH / 2 + 12, top, column);
  doc.x = MARGIN;
  doc.y = Math.max(left, doc.y);
  doc.moveDown(1.5);
}

function party(doc: Doc, label: string, of: Party, x: number, y: number, width: number): void {
  doc.font('body').fontSize(9).fillColor(MUTED).text(label, x, y, { width });
  doc.font('bold').fontSize(11).fillColor('black').text(of.name, { width, height: 44, ellipsis: true });
  doc.font('body').fontSize(9);
  for (const line of [of.address, of.email, of.tax_id ? `Tax id: ${of.tax_id}` : null])
    if (line) doc.text(line, { width, height: 48, ellipsis: true });
}

function table(doc: Doc, title: string, rows: readonly (readonly [string, string])[]): void {
  if (doc.y > 640) doc.addPage();
  doc.font('bold').fontSize(11).fillColor('black').text(title, MARGIN);
  doc.moveDown(0.4);
  doc.font('body').fontSize(9.5);
  for (const [label, value] of rows) {
    if (doc.y > 690) doc.addPage();
    const y = doc.y;
    doc.fillColor(MUTED).text(label, MARGIN, y, { width: WIDTH - 140, height: 26, ellipsis: true });
    const bottom = doc.y;
    doc.fillColor('black').text(value, MARGIN + WIDTH - 130, y, { width: 130, align: 'right' });
    doc.y = Math.max(bottom, doc.y) + 3;
    doc
      .moveTo(MARGIN, doc.y)
      .lineTo(MARGIN + WIDTH, doc.y)
      .lineWidth(0.5)
      .strokeColor(LINE)
      .stroke();
    doc.y += 4;
  }
  doc.x = MARGIN;
  doc.moveDown(1.2);
}

const QR_SIZE = 84;

function seal(doc: Doc, { number, digest, previous_digest }: PayoutRow): void {
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
