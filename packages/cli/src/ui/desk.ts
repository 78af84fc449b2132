import type { Batch, CustomerDetail, ProductOverview, Serial, SerialDetail } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { wholeNumber } from '#input/whole-number.ts';
import { inState } from '#output/batch-states.ts';
import { standingCell, standingLines } from '#output/standing.ts';
import { counted, money } from '#output/table.ts';
import { chosen, day, minute } from '#output/zone.ts';
import type { Act, Details, Open } from './tabs.ts';

/** A serial as a support desk needs it: the answer, what helps by key, and what happened. */
export const openSerial =
  (api: OperationClient, id: string): Open =>
  async (signal) =>
    serialDetails(api, await api.getSerial({ path: { id } }, { signal }));

export const openCustomer =
  (api: OperationClient, id: string): Open =>
  async (signal) =>
    customerDetails(api, await api.getCustomer({ path: { id } }, { signal }));

/** As many as there are digits to open them. */
const CHOICES = 9;

export const openProduct =
  (api: OperationClient, id: string): Open =>
  async (signal) => {
    const query = { product_id: id, limit: CHOICES };
    const [overview, { rows }] = await Promise.all([
      api.getProductOverview({ path: { id } }, { signal }),
      api.listBatches({ query }, { signal }),
    ]);
    return productDetails(api, overview, rows);
  };

export const openBatch =
  (api: OperationClient, id: string): Open =>
  async (signal) => {
    const [batch, { rows }] = await Promise.all([
      api.getBatch({ path: { id } }, { signal }),
      api.listSerials({ query: { batch_id: id, limit: CHOICES } }, { signal }),
    ]);
    return batchDetails(api, batch, rows);
  };

export function stateOf(serial: { revoked: boolean; redeemed_at: string | null; handed_out_at: string | null }) {
  if (serial.revoked) return 'revoked';
  if (serial.redeemed_at) return 'redeemed';
  return serial.handed_out_at ? 'handed out' : 'available';
}

export function revokeOrReassign(
  api: OperationClient,
  { id, code, revoked }: { id: string; code: string; revoked: boolean },
): Act {
  return {
    key: 'r',
    label: revoked ? 'reassign' : 'revoke',
    question: `${revoked ? 'Reassign' : 'Revoke'} ${code}?`,
    async run(signal) {
      const call = revoked ? api.reassignSerial : api.revokeSerial;
      await call({ path: { id } }, { signal });
      return `${revoked ? 'Reassigned' : 'Revoked'} ${code}`;
    },
  };
}

function resetDownloads(api: OperationClient, serial: { id: string; code: string }, cost: number): Act {
  return {
    key: 'd',
    label: cost > 0 ? `reset downloads (${money(cost)})` : 'reset downloads',
    question: `Reset the downloads of ${serial.code}${cost > 0 ? ` for ${money(cost)}` : ''}?`,
    async run(signal) {
      const { refresh_cost } = await api.refreshSerial({ path: { id: serial.id } }, { signal });
      return refresh_cost > 0 ? `Downloads reset, charged: ${money(refresh_cost)}` : 'Downloads reset';
    },
  };
}

/** Records that all the money that is left went back. */
function refund(api: OperationClient, { id, code, refundable }: SerialDetail): Act {
  return {
    key: 'f',
    label: `refund (${money(refundable)})`,
    prompt: 'Reason, which a reseller reads too',
    question: () => `Record that ${money(refundable)} of ${code} went back?`,
    async run(signal, reason) {
      const { amount } = await api.refundSerial({ path: { id }, body: { reason } }, { signal });
      return `Refunded ${money(-amount)}.`;
    },
  };
}

function changeOwner(
  api: OperationClient,
  serial: { id: string; code: string },
  from: { id: string; email: string | null },
): Act {
  return {
    key: 'o',
    label: 'owner',
    prompt: 'Address of the new owner',
    question: (email) => `Move ${serial.code} from ${from.email ?? 'its owner'} to ${email}? Both get an email.`,
    async run(signal, email) {
      const body = { email, from_customer_id: from.id };
      const done = await api.transferSerial({ path: { id: serial.id }, body }, { signal });
      return done.changed ? `${serial.code} belongs to ${email} now.` : `${serial.code} was theirs already.`;
    },
  };
}

function changeAddress(api: OperationClient, { id, email: old }: { id: string; email: string }): Act {
  return {
    key: 'e',
    label: 'address',
    prompt: `New address of ${old}`,
    question: (email) => `Change ${old} to ${email}? Both addresses are told.`,
    async run(signal, email) {
      return `Changed to ${(await api.changeCustomer({ path: { id }, body: { email } }, { signal })).email}.`;
    },
  };
}

function addNote(api: OperationClient, id: string): Act {
  return {
    key: 'n',
    label: 'note',
    prompt: 'Note, which only you read',
    async run(signal, text) {
      await api.addCustomerNote({ path: { id }, body: { text } }, { signal });
      return 'Noted.';
    },
  };
}

function productDetails(api: OperationClient, product: ProductOverview, batches: Batch[]): Details {
  const { sales, stock, machines, files, refusals } = product;
  const sold = ({ redemptions, revenue }: typeof sales.all) =>
    `${counted(redemptions, 'redemption')}, ${money(revenue)}`;
  const lasts = stock.days_left === null ? 'no sales in 30 days' : `${counted(stock.days_left, 'day')} left`;
  return {
    title: product.name,
    facts: [
      ['State', product.is_draft ? 'draft' : 'submitted'],
      ['Today', sold(sales.today)],
      ['30 days', sold(sales.last_30_days)],
      ['Ever', sold(sales.all)],
      ['Stock', `${counted(stock.available, 'serial')}, ${lasts}`],
      ['Machines', `${machines.active} active, ${machines.total} with a seat`],
      ['Files', files.map(({ name }) => name).join('; ') || null],
      ['Refused', refusals.map(({ status, count }) => `${status}: ${count}`).join(', ') || 'nothing in 30 days'],
    ],
    choices: batches.map((batch) => ({
      text: `${batch.batch_tag ?? day(batch.created_at)}  ${inState(batch, 'redeemed')} of ${batch.quantity} redeemed`,
      open: openBatch(api, batch.id),
    })),
    lines: [],
  };
}

function batchDetails(api: OperationClient, batch: Batch, serials: Serial[]): Details {
  const facts: Details['facts'] = [
    ['Product', batch.product_name],
    ['Reseller', batch.reseller_name],
    ['Quantity', `${batch.quantity}`],
    ['Open', `${batch.open}`],
    ['Handed out', `${batch.handed_out}`],
    ['Redeemed', `${batch.redeemed}`],
    ['Revoked', `${batch.revoked}`],
    ['Promo price', money(batch.promo_price)],
    ['Active from', chosen(batch.promo_start, 'start')],
    ['Promo ends', chosen(batch.promo_expires, 'end')],
    ['Expires', chosen(batch.expires_at, 'end')],
    ['Made', minute(batch.created_at)],
  ];
  return {
    title: batch.batch_tag ?? `Batch of ${day(batch.created_at)}`,
    // empty facts of a batch would push its serials off a small terminal
    facts: facts.filter(([, value]) => value !== null),
    choices: [
      { text: `Open ${batch.product_name}`, open: openProduct(api, batch.product_id) },
      ...serials
        .slice(0, CHOICES - 1)
        .map((serial) => ({ text: `${serial.code}  ${stateOf(serial)}`, open: openSerial(api, serial.id) })),
    ],
    lines: batch.notes ? batch.notes.split('\n') : [],
  };
}

const nameOf = (person: { first_name: string | null; last_name: string | null }): string =>
  [person.first_name, person.last_name].filter(Boolean).join(' ');

const happened = (at: string, kind: string, detail: string | null): string =>
  `${minute(at)}  ${kind.replaceAll('_', ' ').padEnd(11)} ${detail ?? ''}`;

function serialDetails(api: OperationClient, serial: SerialDetail): Details {
  const { id, code, customer } = serial;
  const acts: Act[] = [revokeOrReassign(api, serial)];
  if (serial.refundable > 0) acts.push(refund(api, serial));
  if (serial.download_count > 0) acts.push(resetDownloads(api, serial, serial.refresh_cost));
  acts.push({
    key: 's',
    label: 'seats',
    prompt: `Seats, now ${serial.max_activations}`,
    async run(signal, typed) {
      const body = { max_activations: wholeNumber(typed, 'SEATS') };
      const done = await api.setSerialSeats({ path: { id }, body }, { signal });
      return `${done.seats_used} of ${done.max_activations} seats are taken.`;
    },
  });
  if (customer) {
    acts.push({
      key: 'm',
      label: 'email again',
      question: `Send the email with the serial and the downloads to ${customer.email ?? 'the customer'} again?`,
      async run(signal) {
        const { email } = await api.resendSerialEmail({ path: { id } }, { signal });
        return email ? `Sent to ${email}.` : 'Sent.';
      },
    });
    acts.push(changeOwner(api, serial, customer), addNote(api, customer.id));
  }
  return {
    title: code,
    answer: standingLines(serial.standing, 'serial'),
    facts: [
      ['Product', serial.product],
      ['State', stateOf(serial)],
      [
        'Customer',
        customer ? `${nameOf(customer)} ${customer.email ? `<${customer.email}>` : ''}`.trim() || customer.id : null,
      ],
      ['Downloads', `${serial.download_count}/5`],
      ['Machines', `${serial.seats_used} of ${serial.max_activations}`],
      ['Tag', serial.batch_tag],
      ['Redeem link', serial.redeem_link],
    ],
    choices: [
      ...(customer ? [{ text: `Open ${customer.email ?? 'the customer'}`, open: openCustomer(api, customer.id) }] : []),
      ...serial.machines
        .filter(({ released_at }) => released_at === null)
        .map((machine) => ({
          text: `Release the seat of ${machine.machine_id}, last seen ${day(machine.last_seen_at)}`,
          act: {
            question: `Release the seat of ${machine.machine_id}?`,
            async run(signal: AbortSignal) {
              await api.releaseSerialMachine({ path: { id: machine.id } }, { signal });
              return `Released the seat of ${machine.machine_id}`;
            },
          },
        })),
    ],
    acts,
    lines: serial.history.map(({ at, kind, detail }) => happened(at, kind, detail)),
  };
}

function customerDetails(api: OperationClient, customer: CustomerDetail): Details {
  const { id, standing } = customer;
  const acts: Act[] = customer.erased_at ? [] : [changeAddress(api, customer), addNote(api, id)];
  for (const { serial_id, serial, mends } of [standing, ...standing.also]) {
    const mend = mends.find(({ action }) => action === 'reset_downloads');
    if (!mend || !serial_id || !serial) continue;
    acts.unshift(resetDownloads(api, { id: serial_id, code: serial }, mend.cost));
    break;
  }
  return {
    title: nameOf(customer) || customer.email,
    answer: standingLines(standing, 'customer'),
    facts: [
      ['Email', customer.email],
      ['Since', day(customer.signup_date)],
      ['Spent', money(customer.total_spent)],
    ],
    choices: customer.serials.map((serial) => ({
      text: `${serial.code}  ${serial.product_name}  ${standingCell(serial.standing)}`,
      open: openSerial(api, serial.id),
    })),
    acts,
    lines: customer.activity.map(({ at, kind, serial_code, detail }) =>
      happened(at, kind, [serial_code, detail].filter(Boolean).join('  ')),
    ),
  };
}
