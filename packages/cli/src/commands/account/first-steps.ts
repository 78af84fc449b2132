import type { FirstSteps } from '@tonerow/sdk';
import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { flag } from '../../option-types.ts';
import { table } from '../../output/table.ts';

type Step = FirstSteps['steps'][number]['step'];

const next: Record<Step, [what: string, command: string]> = {
  product: ['Add a product', 'tonerow products create "Prism Delay" --price 49'],
  serials: ['Generate serials', 'tonerow serials generate "Prism Delay" --quantity 100'],
  page: ['Brand your redemption page', 'tonerow branding set --color "#0f766e"'],
  key: ['Create a key for your plugin', 'tonerow keys create "Prism Delay 1.x"'],
  redemption: ['See the first redemption', 'tonerow redeem CODE --email you@example.com'],
};

export const accountFirstSteps = defineCommand({
  path: 'account first-steps',
  summary: 'Show how far a new account is, and the command for each step',
  operations: ['getFirstSteps', 'hideFirstSteps'],
  options: {
    hide: flag('put the checklist of the dashboard away'),
    show: flag('bring it back'),
  },
  examples: ['tonerow account first-steps', 'tonerow account first-steps --hide'],
  async run({ context, options }) {
    if (options.hide && options.show) throw new UsageError('Use --hide or --show, not both.');
    const api = await context.api();
    const progress =
      options.hide || options.show
        ? await api.hideFirstSteps({ body: { hidden: options.hide === true } }, context.call)
        : await api.getFirstSteps({}, context.call);
    const rows = progress.steps.map(({ step, done }) => [done ? 'done' : 'open', ...next[step]]);
    await context.print(progress, table(['', 'STEP', 'COMMAND'], rows));
  },
});
