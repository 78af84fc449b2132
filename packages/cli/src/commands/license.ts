import type { LicenseAnswer } from '@tonerow/sdk';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../exit.ts';
import { list } from '../output/table.ts';
import { findProductId } from './resolve.ts';

export const KEY = [['--key-file <file>', 'the plugin key, else from TONEROW_PLUGIN_KEY']] as const;
const PRODUCT = ['--product <product>', 'the product the plugin is: id or name'] as const satisfies [string, string];
export const MACHINE = ['--machine <id>', 'the machine’s id'] as const satisfies [string, string];

export const OLD_MACHINES = [
  ['--old-machine <id>', 'another id of the same machine, whose seat it takes over'],
] as const satisfies Command['repeatable'];

export async function asPlugin(context: Context, options: { keyFile?: string; machine?: string }) {
  if (!options.machine) throw new UsageError('Say which machine: --machine ID.');
  const key = await context.secret({
    env: 'TONEROW_PLUGIN_KEY',
    file: options.keyFile,
    what: 'the plugin key',
    how: '--key-file or TONEROW_PLUGIN_KEY',
  });
  return context.client(key);
}

export function card(answer: LicenseAnswer): string {
  return list([
    ['Status', answer.status],
    ['Seats', answer.max_activations],
    ['Remaining', answer.remaining],
    ['Validation token', answer.validation_token],
  ]);
}

export const licenseCommands: Command[] = [
  {
    path: 'license activate',
    summary: 'Activate a license on a machine, as a plugin does',
    operations: ['activateLicense'],
    args: [['<license-key>', 'the serial']],
    options: [
      MACHINE,
      PRODUCT,
      ['--email <address>', 'needed the first time'],
      ['--plugin-version <text>', 'the plugin’s version'],
      ...KEY,
    ],
    repeatable: OLD_MACHINES,
    examples: [
      'tonerow license activate ABCD-EFGH-2345-6789 --machine studio-1 --email nina@example.com --key-file plugin-key.txt',
    ],
    async run(context, [license_key], options) {
      const body = {
        license_key: license_key as string,
        machine_id: options.machine,
        old_machine_ids: options.oldMachine,
        product_id: options.product ? await findProductId(context, options.product) : undefined,
        email: options.email,
        version: options.pluginVersion,
      };
      const answer = await (await asPlugin(context, options)).activateLicense({ body }, context.call);
      await context.print(answer, card(answer));
    },
  },
  {
    path: 'license validate',
    summary: 'Ask whether a machine may go on',
    operations: ['validateLicense'],
    args: [['<license-key>', 'the serial']],
    options: [MACHINE, PRODUCT, ['--token-file <file>', 'the validation token'], ...KEY],
    examples: ['tonerow license validate ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
    async run(context, [license_key], options) {
      const validation_token = options.tokenFile
        ? await context.secret({ file: options.tokenFile, what: 'the validation token', how: '--token-file' })
        : undefined;
      const body = {
        license_key: license_key as string,
        machine_id: options.machine,
        product_id: options.product ? await findProductId(context, options.product) : undefined,
        validation_token,
      };
      const answer = await (await asPlugin(context, options)).validateLicense({ body }, context.call);
      await context.print(answer, card(answer));
    },
  },
  {
    path: 'license deactivate',
    summary: 'Free a machine’s seat',
    operations: ['deactivateLicense'],
    args: [['<license-key>', 'the serial']],
    options: [MACHINE, ...KEY],
    examples: ['tonerow license deactivate ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
    async run(context, [license_key], options) {
      const body = { license_key: license_key as string, machine_id: options.machine };
      const answer = await (await asPlugin(context, options)).deactivateLicense({ body }, context.call);
      await context.print(answer, card(answer));
    },
  },
  {
    path: 'license jwks',
    summary: 'The public keys that verify validation tokens',
    operations: ['getLicenseKeys'],
    args: [['[developer]', 'a developer’s id; yours when left out']],
    examples: ['tonerow license jwks', 'tonerow license jwks 01900000-0000-7000-8000-000000000002'],
    async run(context, [developer]) {
      const dev = developer ?? (await (await context.api()).getMe({}, context.call)).id;
      const keys = await (await context.client()).getLicenseKeys({ query: { dev } }, context.call);
      await context.print(keys, `${JSON.stringify(keys, null, 2)}\n`);
    },
  },
];
