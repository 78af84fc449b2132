import { listSerialsState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { chosen, day } from '#output/zone.ts';
import { VIEW, withView } from '../views/find.ts';
import { accepts, OUT } from './export-options.ts';
import { SERIAL_FILTER, serialFilter } from './selection/serial-filter.ts';
import { stateOf } from './state.ts';

export const serialsList = defineCommand({
  path: 'serials list',
  summary: 'List serials, newest first',
  operations: ['listSerials', 'listViews'],
  options: {
    state: choice('<state>', 'available, handed_out, redeemed or revoked', {
      values: listSerialsState,
    }),
    ...SERIAL_FILTER,
    ...VIEW,
    ...PAGE,
    ...OUT,
  },
  examples: ['tonerow serials list --state available --product "Prism Delay" --out available.csv'],
  async run({ context, options }) {
    const api = await context.api();
    const query = await withView(context, 'available', options.view, {
      ...(await serialFilter(context, options)),
      state: options.state,
    });
    if (options.out) {
      const response = await api.stream.listSerials({ query }, { ...context.call, accept: accepts[options.format] });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await printRows(context, api.paginate.listSerials({ query }, context.call), options, {
      head: ['SERIAL', 'PRODUCT', 'STATE', 'TAG', 'PROMO', 'EXPIRES', 'MADE'],
      cells: (each) => [
        each.code,
        each.product,
        stateOf(each),
        each.batch_tag,
        money(each.promo_price),
        chosen(each.expires_at, 'end'),
        day(each.created_at),
      ],
      none: 'No serials found\n',
      more: '--out FILE',
    });
  },
});
