import type { FirstSteps } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { table } from '#output/table.ts';

type Step = FirstSteps['steps'][number]['step'];

const next: Record<Step, [what: string, command: string]> = {
  product: ['Add a product', 'tonerow products create "Prism Delay" --price 49'],
  serials: ['Generate serials', 'tonerow serials generate "Prism Delay" --quantity 100'],
  page: ['Brand your redemption page', 'tonerow branding set --color "#0f766e"'],
  key: ['Create a key for your plugin', 'tonerow keys create "Prism Delay 1.x"'],
  redemption: ['See the first redemption', 'tonerow account first-steps --code'],
};

export const accountFirstSteps = defineCommand({
  path: 'account first-steps',
  summary: 'Show how far a new account is, and the command for each step',
  operations: ['getFirstSteps', 'hideFirstSteps', 'prepareFirstRedemption'],
  options: {
    hide: flag('put the checklist of the dashboard away'),
    show: flag('bring it back'),
    code: flag('get a code at $0 to redeem yourself, as a customer would'),
  },
  examples: ['tonerow account first-steps', 'tonerow account first-steps --hide', 'tonerow account first-steps --code'],
  async run({ context, options }) {
    if ([options.hide, options.show, options.code].filter(Boolean).length > 1)
      throw new UsageError('Use one of --hide, --show and --code.');
    const api = await context.api();
    if (options.code) {
      const ready = await api.prepareFirstRedemption({}, context.call);
      await context.print(ready, `${ready.serial}\n`);
      context.note(`Redeem it at ${ready.redeem_link}`);
      return;
    }
    const progress =
      options.hide || options.show
        ? await api.hideFirstSteps({ body: { hidden: options.hide === true } }, context.call)
        : await api.getFirstSteps({}, context.call);
    const rows = progress.steps.map(({ step, done }) => [done ? 'done' : 'open', ...next[step]]);
    await context.print(progress, table(['', 'STEP', 'COMMAND'], rows));
  },
});
