import { defineCommand } from '#define/define-command.ts';
import { UsageError } from '#exit.ts';
import { isCi } from '#input/is-ci.ts';
import { hasColors } from '#output/color.ts';

export const uiCommand = defineCommand({
  path: 'ui',
  summary: 'Browse your products, serials or sales, and watch what happens, in the terminal',
  operations: [],
  examples: ['tonerow ui'],
  async run({ context }) {
    // the library that draws the screen draws only its last state there
    if (isCi(context.io.env))
      throw new UsageError('CI is set, and a CI job has nobody who watches. Unset CI to use it on a terminal.');
    if (!context.io.stdin.isTTY || !context.io.stdout.isTTY) {
      throw new UsageError('This requires a terminal. In scripts, use "tonerow serials list" and related commands.');
    }
    const api = await context.api();
    const me = await api.getMe({}, context.call);
    const file: string = './live.mjs';
    const { browse, developerTabs, resellerTabs } = (await import(file)) as typeof import('#ui/live.tsx');
    await browse(api, me.is_reseller ? resellerTabs(api) : developerTabs(api), {
      signal: context.io.signal,
      title: me.company_name ?? me.email,
      server: await context.url(),
      color: hasColors(context.io.env, context.io.stdout, context.globals.color),
    });
  },
});
