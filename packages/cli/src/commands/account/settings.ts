import { defineCommand } from '#define/define-command.ts';
import { list } from '#output/table.ts';

export const accountSettings = defineCommand({
  path: 'account settings',
  summary: 'Profile, time zone and notifications',
  operations: ['getMe', 'getAccountSettings', 'getResellerSettings'],
  examples: ['tonerow account settings'],
  async run({ context }) {
    const api = await context.api();
    const { is_reseller } = await api.getMe({}, context.call);
    const settings = is_reseller
      ? await api.getResellerSettings({}, context.call)
      : await api.getAccountSettings({}, context.call);
    await context.print(settings, list(Object.entries(settings)));
  },
});
