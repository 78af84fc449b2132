import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { tryOut } from './selection/change.ts';
import { each } from './selection/each-serial.ts';

export const serialsRevoke = defineCommand({
  path: 'serials revoke',
  summary: 'Revoke serials: redemption, downloads and licensing stop at once',
  operations: ['revokeSerial', 'changeSerials'],
  args: [['<serial...>', 'codes or ids']],
  options: DRY_RUN,
  examples: [
    'tonerow serials revoke ABCD-EFGH-2345-6789 --dry-run',
    'tonerow serials revoke ABCD-EFGH-2345-6789 BCDE-FGHJ-3456-789A',
  ],
  run: ({ context, args: serials, options }) =>
    options.dryRun
      ? tryOut(context, serials, 'revoke')
      : each(context, serials, 'Revoked', (api, id) => api.revokeSerial({ path: { id } }, context.call)),
});
