import type { PayoutSummary, ReceivedInvite, Transaction } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { hasWords } from '#input/same-name.ts';
import { money } from '#output/table.ts';
import { chosen, day, minute } from '#output/zone.ts';
import { type Act, type Details, firstOf, type Open, type Row, type Tab } from './tabs.ts';

const MOST = 100;

export function resellerTabs(api: OperationClient): Tab[] {
  return [
    { name: 'Dashboard', load: (search, signal) => dashboard(api, search, signal) },
    {
      name: 'Products',
      keys: '↵ details',
      async load(search, signal) {
        const query = { search: search || undefined };
        const products = await firstOf(api.paginate.listResellerProducts({ query }, { signal }), MOST);
        return products.map((each) => ({
          id: each.product_id,
          cells: [
            `${each.name} · ${each.developer_name}`,
            `${each.available_serials} available`,
            `${money(each.sale_price ?? each.price) ?? 'No price'}, ${each.commission_rate}%`,
          ],
          open: openSold(api, each.product_id),
        }));
      },
    },
    {
      name: 'Transactions',
      keys: '↵ details',
      async load(search, signal) {
        const query = { search: search || undefined };
        const rows = await firstOf(api.paginate.listTransactions({ query }, { signal }), MOST);
        return rows.map((each) => ({
          id: each.id,
          cells: [
            `${day(each.at)} ${each.product_name}`,
            each.email ?? 'Erased',
            `${each.kind === 'redemption' ? '' : `${each.kind} `}${money(each.commission_earned)}`,
          ],
          open: async () => transactionDetails(each),
        }));
      },
    },
    {
      name: 'Payouts',
      keys: '↵ details',
      async load(search, signal) {
        const statements = await firstOf(api.paginate.listPayouts({}, { signal }), MOST);
        return statements
          .filter((each) => hasWords(`${each.number} ${each.month} ${each.developer_name}`, search))
          .map((each) => ({
            id: each.id,
            cells: [`${each.month} ${each.developer_name}`, `${money(each.outstanding)} outstanding`, each.status],
            open: async () => payoutDetails(each),
          }));
      },
    },
    {
      name: 'Invitations',
      keys: '↵ message a accept x reject',
      async load(search, signal) {
        const invites = await firstOf(api.paginate.listResellerInvites({}, { signal }), MOST);
        return invites
          .filter((each) => hasWords(`${each.company_name} ${each.email}`, search))
          .map((each) => ({
            id: each.id,
            cells: [each.company_name, each.email, `${each.commission_rate}%, until ${day(each.expires_at)}`],
            acts: [answer(api, each, 'accept'), answer(api, each, 'reject')],
            open: async () => inviteDetails(each),
          }));
      },
      waiting: (event) => (event.type === 'invites' ? event.data.pending : undefined),
    },
  ];
}

/** The figures, and what was given of each product; a search looks for a product or a developer. */
async function dashboard(api: OperationClient, search: string, signal: AbortSignal): Promise<Row[]> {
  const { stats, serialGroups } = await api.getResellerDashboard({}, { signal });
  const figures: Row[] = [
    { id: 'redemptions', cells: ['Total redemptions', String(stats.totalRedemptions), ''] },
    { id: 'commission', cells: ['Commission earned', money(stats.totalCommission), ''] },
    { id: 'products', cells: ['Connected products', String(stats.connectedProducts), ''] },
    { id: 'serials', cells: ['Available serials', String(stats.availableSerials), ''] },
  ];
  const groups = serialGroups
    .filter((each) => hasWords(`${each.product_name} ${each.developer_name}`, search))
    .map(
      (each): Row => ({
        id: `${each.developer_id} ${each.product_id}`,
        cells: [
          `${each.product_name} · ${each.developer_name}`,
          `${each.remaining} of ${each.total} left`,
          `${each.redeemed} redeemed, ${each.handed_out} handed out, ${each.commission_rate}%`,
        ],
      }),
    );
  return search ? groups : [...figures, ...groups];
}

function answer(api: OperationClient, invite: ReceivedInvite, response: 'accept' | 'reject'): Act {
  const accepts = response === 'accept';
  return {
    key: accepts ? 'a' : 'x',
    label: response,
    question: accepts
      ? `Sell for ${invite.company_name} for a commission of ${invite.commission_rate}%?`
      : `Reject the invitation of ${invite.company_name}?`,
    async run(signal) {
      const body = { invite_id: invite.id, response };
      return (await api.respondToInvite({ body }, { signal })).message;
    },
  };
}

const openSold =
  (api: OperationClient, id: string): Open =>
  async (signal) => {
    const { product, deal, serials } = await api.getResellerProduct({ path: { id }, query: {} }, { signal });
    const zone = product.developer_time_zone;
    const ofDeal: Details['facts'] = deal
      ? [
          ['Deal price', money(deal.promo_price)],
          ['Deal starts', chosen(deal.promo_start, 'start', zone)],
          ['Deal ends', chosen(deal.promo_expires, 'end', zone)],
          ['Redeem by', chosen(deal.expires_at, 'end', zone)],
        ]
      : [];
    return {
      title: product.name,
      facts: [
        ['Developer', product.developer_name],
        ['Price', money(product.price)],
        ['Sale price', money(product.sale_price)],
        ['Commission', `${product.commission_rate}%`],
        ...ofDeal,
        ['Available', `${serials.counts.available}`],
        ['Redeemed', `${serials.counts.redeemed}`],
      ],
      lines: product.short_desc ? [product.short_desc] : [],
    };
  };

function transactionDetails(sale: Transaction): Details {
  const name = [sale.first_name, sale.last_name].filter(Boolean).join(' ');
  return {
    title: sale.code,
    facts: [
      ['Date', minute(sale.at)],
      ['Kind', sale.kind],
      ['Product', sale.product_name],
      ['Developer', sale.developer_name],
      ['Customer', sale.email ? `${name} <${sale.email}>` : 'Erased'],
      ['Price', money(sale.final_price)],
      ['Commission', `${money(sale.commission_earned)} (${sale.commission_rate}%)`],
      ['Refunded', money(sale.refunded)],
    ],
    lines: sale.reason ? [sale.reason] : [],
  };
}

function payoutDetails(payout: PayoutSummary): Details {
  return {
    title: `Statement ${payout.number}`,
    facts: [
      ['Month', `${payout.month} (UTC)`],
      ['Developer', payout.developer_name],
      ['Redemptions', String(payout.total_redemptions)],
      ['Revenue', money(payout.total_revenue)],
      ['You earned', money(payout.reseller_earned)],
      ['Due', money(payout.due)],
      ['Outstanding', money(payout.outstanding)],
      ['Status', payout.status],
    ],
    lines: [`tonerow payouts show ${payout.id} lists its transactions.`],
  };
}

function inviteDetails(invite: ReceivedInvite): Details {
  return {
    title: invite.company_name,
    facts: [
      ['Email', invite.email],
      ['Website', invite.website_url ?? '–'],
      ['Commission', `${invite.commission_rate}%`],
      ['Expires', day(invite.expires_at)],
    ],
    lines: invite.message ? invite.message.split('\n') : [],
  };
}
