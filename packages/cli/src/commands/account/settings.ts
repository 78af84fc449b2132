import { defineCommand } from '../../define-command.ts';
import { list } from '../../output/table.ts';

export const accountSettings = defineCommand({
  path: 'account settings',
  summary: 'Profile, time zone and notifications',
  operations: ['getAccountSettings'],
  examples: ['tonerow account settings'],
  async run({ context }) {
    const settings = await (await context.api()).getAccountSettings({}, context.call);
    await context.print(settings, list(Object.entries(settings)));
  },
});
