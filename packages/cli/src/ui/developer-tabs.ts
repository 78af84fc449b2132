import type { Serial, SerialDetail } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { standingLines } from '../output/standing.ts';
import type { Act, Details, Tab } from './tabs.ts';

export function developerTabs(api: OperationClient): Tab[] {
  return [
    {
      name: 'Products',
      async load(search, signal) {
        const products = await api.listProducts({ query: { search: search || undefined } }, { signal });
        return products.map((each) => ({
          id: each.id,
          cells: [each.name, each.is_draft ? 'draft' : 'submitted', `${each.serials_available} available`],
        }));
      },
    },
    {
      name: 'Batches',
      async load(search, signal) {
        const { rows } = await api.listBatches({ query: { search: search || undefined, limit: 50 } }, { signal });
        return rows.map((each) => ({
          id: each.id,
          cells: [
            `${each.product_name}${each.batch_tag ? ` · ${each.batch_tag}` : ''}`,
            `${each.redeemed} of ${each.quantity} redeemed`,
            `${each.open} open, ${each.revoked} revoked`,
          ],
        }));
      },
    },
    {
      name: 'Serials',
      keys: '↵ details r revoke or reassign',
      async load(search, signal) {
        const { rows } = await api.listSerials({ query: { search: search || undefined, limit: 100 } }, { signal });
        return rows.map((each) => ({
          id: each.id,
          cells: [each.code, each.product, stateOf(each)],
          acts: [revokeOrReassign(api, each)],
          open: async (stop) => detailsOf(await api.getSerial({ path: { id: each.id } }, { signal: stop })),
        }));
      },
    },
  ];
}

function revokeOrReassign(api: OperationClient, { id, code, revoked }: Serial): Act {
  return {
    key: 'r',
    question: `${revoked ? 'Reassign' : 'Revoke'} ${code}?`,
    async run(signal) {
      const call = revoked ? api.reassignSerial : api.revokeSerial;
      await call({ path: { id } }, { signal });
      return `${revoked ? 'Reassigned' : 'Revoked'} ${code}`;
    },
  };
}

function stateOf(serial: Pick<Serial, 'revoked' | 'redeemed_at' | 'handed_out_at'>): string {
  if (serial.revoked) return 'revoked';
  if (serial.redeemed_at) return 'redeemed';
  return serial.handed_out_at ? 'handed out' : 'available';
}

function detailsOf(serial: SerialDetail): Details {
  const { customer } = serial;
  return {
    title: serial.code,
    answer: standingLines(serial.standing, 'serial'),
    facts: [
      ['Product', serial.product],
      ['State', stateOf(serial)],
      ['Customer', customer ? `${customer.first_name ?? ''} ${customer.last_name ?? ''} <${customer.email}>` : '–'],
      ['Downloads', `${serial.download_count}/5`],
      ['Machines', `${serial.seats_used} of ${serial.max_activations}`],
      ['Tag', serial.batch_tag ?? '–'],
    ],
    lines: serial.history
      .slice(0, 8)
      .map(({ at, kind, detail }) => `${at.slice(0, 16).replace('T', ' ')}  ${kind.padEnd(11)} ${detail ?? ''}`),
  };
}
