import { defineCommand } from '#define/define-command.ts';
import { number, orFrom, text } from '#define/option-types.ts';
import { CancelledError, UsageError } from '#exit.ts';
import type { Context } from '#run/context.ts';
import { asPlugin } from './as-plugin.ts';
import { forgeries, isForgery } from './forging-proxy/forgeries.ts';
import { NEEDS_TEST_KEY, tokenSerials } from './forging-proxy/tokens.ts';
import { MACHINE, statusOf } from './status-of.ts';

/** Some forgeries need a test plugin key. Checks the key that is given here, which the plugin may share. */
async function holdToTestKey(context: Context, forgery: string, keyFile: string | undefined): Promise<void> {
  const license_key = tokenSerials[forgery];
  if (license_key === undefined || !(keyFile || context.io.env.TONEROW_PLUGIN_KEY)) return;
  const api = await asPlugin(context, { keyFile });
  const body = { license_key, machine_id: MACHINE };
  const status = await statusOf(api.validateLicense({ body }, { ...context.call, retries: 0 }));
  if (status === 'unauthorized') context.note('The server does not recognize this plugin key.');
  else if (status === 'not_found') context.note(`This plugin key cannot be used here. ${NEEDS_TEST_KEY}`);
  else return;
  throw new CancelledError();
}

/** The help is wrapped unless a line is indented. */
const meanings = Object.entries(forgeries).map(([name, { what }]) => `\n  ${name.padEnd(15)}${what}`);

export const licenseProxy = defineCommand({
  path: 'license proxy',
  summary: 'Run a local proxy that sends a plugin forged responses, to test that the plugin rejects them',
  operations: [],
  args: [['<forgery>', `the forged response:${meanings.join('')}`, Object.keys(forgeries)]],
  options: {
    port: number('<n>', 'local port that the plugin connects to', { fallback: '4700' }),
    tokenFile: text('<file>', 'for other-token: the token to send instead'),
    keyFile: orFrom(
      'TONEROW_PLUGIN_KEY',
      text('<file>', 'for expired and wrong-product: the plugin key, checked before starting'),
    ),
  },
  examples: [
    'tonerow license proxy offline',
    'tonerow license proxy other-token --token-file validation-token.txt --port 4701',
  ],
  async run({ context, args: [forgery], options }) {
    if (options.port < 0 || options.port > 65_535)
      throw new UsageError('--port takes 0 to 65535; 0 picks a free port.');
    await holdToTestKey(context, forgery, options.keyFile);
    // only this command loads an HTTP server
    const { startForgingProxy } = await import('./forging-proxy/server.ts');
    const proxy = await startForgingProxy({
      forgery,
      port: options.port,
      target: await context.url(),
      token: options.tokenFile
        ? await context.secret({ file: options.tokenFile, what: 'the token', how: '--token-file' })
        : undefined,
      log: (line) => context.note(line),
    });
    context.note(`Point the plugin at ${proxy.url}. Press Ctrl-C to stop.`);
    if (isForgery(forgery)) context.note(forgeries[forgery].plugin);
    await new Promise<void>((resolve) => context.io.signal.addEventListener('abort', () => resolve(), { once: true }));
    await proxy.close();
  },
});
