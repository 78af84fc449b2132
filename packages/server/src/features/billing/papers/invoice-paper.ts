import { planOf } from '#features/plans';
import type { PaperParty, PaperTable } from '#platform/paper/pdf.ts';
import { money, monthName } from '#platform/paper/words.ts';
import { utcDay } from '#platform/time/days.ts';
import type { LineRow, StatementRow } from '../statements/statements.queries.ts';
import type { BillingState, PaidBy } from '../statements/statements.schemas.ts';

/** An invoice in words, for every form it is put on paper in. */
export interface InvoicePaper {
  title: string;
  subtitle: string;
  createdAt: Date;
  from: PaperParty;
  to: PaperParty;
  tables: PaperTable[];
  note: string;
}

const STATES: Record<BillingState, string> = {
  rated: 'To be charged to the card on file',
  invoiced: 'Being charged to the card on file',
  open: 'Open: the charge is tried again',
  failed: 'Open: the card could not be charged',
  uncollectible: 'Not collected',
  void: 'Void',
  settled: 'Nothing to pay',
  local: 'Not collected by card',
  paid: 'Paid',
};
const PAID: Record<PaidBy, string> = {
  card: 'Paid by card',
  balance: 'Paid from balance',
  next_invoice: 'Added to your balance, collected with the next invoice',
  elsewhere: 'Paid without a card',
};

/** Rows on how the invoice was settled, where that is known. */
function paymentRows(row: StatementRow): [string, string][] {
  const { state, paid_at, paid_by, charged_cents, balance_cents } = row;
  const rows: [string, string][] = [['Status', paid_by ? PAID[paid_by] : STATES[state]]];
  if (paid_at) rows.push([paid_by === 'next_invoice' ? 'Added on' : 'Paid on', utcDay(paid_at)]);
  if (paid_by !== 'card' || !balance_cents) return rows;
  rows.push(
    balance_cents > 0
      ? ['Left on your balance by earlier months', money(balance_cents)]
      : ['Taken off by the credit on your balance', money(-balance_cents)],
  );
  rows.push(['Charged to the card', money(charged_cents ?? 0)]);
  return rows;
}

/** @param issuer who bills: its name, then what else belongs on an invoice. */
export function invoicePaper(row: StatementRow, lines: readonly LineRow[], issuer: readonly string[]): InvoicePaper {
  const { number, month, closed_at, party, state, paid_by } = row;
  const [name = 'Tonerow', ...rest] = issuer;
  return {
    // nothing was received yet for what the next invoice collects
    title: `${state === 'paid' && paid_by !== 'next_invoice' ? 'Receipt' : 'Invoice'} ${number}`,
    subtitle: `${monthName(month)} (UTC) · issued on ${utcDay(closed_at)}`,
    createdAt: closed_at,
    from: { label: 'From', name, lines: rest },
    to: {
      label: 'Billed to',
      name: party.company ?? party.name,
      lines: present([
        party.company ? party.name : null,
        party.address,
        party.email,
        party.tax_id ? `Tax id: ${party.tax_id}` : null,
      ]),
    },
    tables: [
      {
        title: 'Charges',
        rows: [
          ...lines.map((line): [string, string] => [words(line), money(line.amount_cents)]),
          ['Total (USD)', money(row.total_cents)],
        ],
      },
      {
        title: 'Usage',
        rows: [
          ['Plan at the end of the month', planOf(row.plan).name],
          ['Redemptions', count(row.redemptions)],
          ['Redemptions above the quota', count(row.overage_redemptions)],
          ['Refreshed download counts', count(row.refresh_count)],
        ],
      },
      {
        title: 'Payment',
        rows: paymentRows(row),
      },
    ],
    note: 'The month is the calendar month in UTC. The fee is that of the dearest plan held in it; each redemption above the quota has the price of the plan of its moment.',
  };
}

const present = (lines: readonly (string | null)[]) =>
  lines.filter((line): line is string => line !== null && line !== '');
const count = (n: number) => n.toLocaleString('en-US');

function words({ description, quantity, unit_cents }: LineRow): string {
  if (quantity === 1) return description;
  const price = unit_cents === null ? '' : ` × ${money(unit_cents)}`;
  return `${description}: ${count(quantity)}${price}`;
}
