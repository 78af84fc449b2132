import { readFile } from 'node:fs/promises';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, UsageError } from '../exit.ts';
import { readText, type Target } from '../output/file.ts';
import { outOf, receive } from '../output/stream.ts';
import { list } from '../output/table.ts';
import { asPlugin, card, KEY, MACHINE, OLD_MACHINES } from './license.ts';
import { findProduct, findProductId } from './resolve.ts';

const OUT = ['--out <file>', 'write to a file ("-" for standard output)', '-'] as const;

async function text(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code}).`);
  });
}

/** An answer of lines for a client that is not ours: as it came, or as a string with --json. */
async function show(context: Context, response: Response, target: Target): Promise<void> {
  if (context.globals.json) return context.print(await readText(context.io, response), '');
  await receive(context, response, target, 'Receiving');
}

/** What stock JUCE and HISE clients send and get, and files for machines without network. */
export const pluginFileCommands: Command[] = [
  {
    path: 'license keyfile',
    summary: 'The key file of a machine, for stock JUCE and HISE plugins; takes a seat',
    operations: ['createKeyFile'],
    args: [['<license-key>', 'the serial']],
    options: [
      MACHINE,
      ['--email <address>', 'needed the first time'],
      ['--app <text>', 'what the plugin calls itself; in HISE "Name 1.0.0"'],
      ...KEY,
      OUT,
    ],
    repeatable: OLD_MACHINES,
    examples: [
      'tonerow license keyfile ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt --out PrismDelay.licence',
    ],
    async run(context, [license_key], options) {
      const body = {
        license_key: license_key as string,
        machine_id: [options.machine as string],
        old_machine_ids: options.oldMachine as string[],
        email: options.email,
        app: options.app,
      };
      const api = await asPlugin(context, options);
      await show(context, await api.stream.createKeyFile({ body }, { ...context.call, accept: '*/*' }), outOf(options));
    },
  },
  {
    path: 'license offline',
    summary: 'The license file of a machine without network; leases a seat for the product’s lease days',
    operations: ['createOfflineLicense'],
    args: [
      ['<license-key>', 'the serial'],
      ['<machine-file>', 'what the plugin wrote on that machine'],
    ],
    options: [['--email <address>', 'needed the first time'], ...KEY, OUT],
    examples: ['tonerow license offline ABCD-EFGH-2345-6789 machine.txt --key-file plugin-key.txt --out license.txt'],
    async run(context, [license_key, file], options) {
      const body = {
        license_key: license_key as string,
        machine_file: await text(file as string),
        email: options.email,
      };
      const api = await asPlugin(context, { ...options, machine: 'from the file' });
      const response = await api.stream.createOfflineLicense({ body }, { ...context.call, accept: '*/*' });
      await show(context, response, outOf(options));
    },
  },
  {
    path: 'license unlock',
    summary: 'Unlock as a stock JUCE plugin does; answers JUCE’s XML',
    operations: ['juceUnlock', 'juceUnlockGet'],
    args: [['<license-key>', 'the serial']],
    options: [
      MACHINE,
      ['--product <product>', 'name or id, as the plugin says it'],
      ['--email <address>', 'the owner’s'],
      ['--os <name>', 'such as "Mac OSX 14"'],
      ['--get', 'by GET, as older clients do'],
      ...KEY,
    ],
    repeatable: OLD_MACHINES,
    examples: [
      'tonerow license unlock ABCD-EFGH-2345-6789 --machine studio-1 --product "Prism Delay" --email nina@example.com --key-file plugin-key.txt',
    ],
    async run(context, [pw], options) {
      if (!options.product || !options.email) throw new UsageError('Give --product and --email, as the plugin does.');
      const fields = {
        product: options.product as string,
        email: options.email as string,
        pw: pw as string,
        os: options.os as string | undefined,
        mach: [options.machine as string, ...(options.oldMachine as string[])],
      };
      const api = await asPlugin(context, options);
      const call = { ...context.call, accept: '*/*' };
      const response = options.get
        ? await api.stream.juceUnlockGet({ query: fields } as never, call)
        : await api.stream.juceUnlock({ body: fields } as never, call);
      await show(context, response, outOf(options));
    },
  },
  {
    path: 'license hise',
    summary: 'Speak to the routes of HISE’s drop-in: activate, validate or deactivate',
    operations: ['hiseActivate', 'hiseValidate', 'hiseDeactivate'],
    args: [
      ['<action>', 'activate, validate or deactivate'],
      ['<license-key>', 'the serial'],
    ],
    options: [
      MACHINE,
      ['--email <address>', 'needed the first time'],
      ['--first-name <name>', ''],
      ['--last-name <name>', ''],
      ...KEY,
    ],
    repeatable: OLD_MACHINES,
    examples: ['tonerow license hise activate ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
    async run(context, [action, key], options) {
      const api = await asPlugin(context, options);
      const machine = { key: key as string, instance_id: options.machine as string };
      const person = { email: options.email, first_name: options.firstName, last_name: options.lastName };
      const answer =
        action === 'activate'
          ? await api.hiseActivate(
              { body: { ...machine, ...person, old_instance_ids: options.oldMachine } },
              context.call,
            )
          : action === 'validate'
            ? await api.hiseValidate({ body: machine }, context.call)
            : action === 'deactivate'
              ? await api.hiseDeactivate({ body: machine }, context.call)
              : undefined;
      if (!answer) throw new UsageError('The actions are activate, validate and deactivate.');
      await context.print(answer, list(Object.entries(answer).map(([name, value]) => [name, String(value)])));
    },
  },
  {
    path: 'license transfer',
    summary: 'Move a seat to a machine whose id has changed',
    operations: ['transferLicense'],
    args: [['<license-key>', 'the serial']],
    options: [
      ['--from <id>', 'the old machine id'],
      MACHINE,
      ['--token-file <file>', 'the old machine’s validation token'],
      ...KEY,
    ],
    examples: [
      'tonerow license transfer ABCD-EFGH-2345-6789 --from studio-1 --machine studio-2 --token-file validation-token.txt --key-file plugin-key.txt',
    ],
    async run(context, [license_key], options) {
      if (!options.from || !options.tokenFile) throw new UsageError('Give --from and --token-file.');
      const body = {
        license_key: license_key as string,
        old_machine_id: options.from as string,
        machine_id: options.machine as string,
        validation_token: (await text(options.tokenFile)).trim(),
      };
      const answer = await (await asPlugin(context, options)).transferLicense({ body }, context.call);
      await context.print(answer, card(answer));
    },
  },
  {
    path: 'license trial',
    summary: 'Start a trial on a machine, or ask about one',
    operations: ['startTrial'],
    args: [['<product>', 'id or name']],
    options: [MACHINE, ...KEY],
    examples: ['tonerow license trial "Prism Delay" --machine studio-1 --key-file plugin-key.txt'],
    async run(context, [product], options) {
      const api = await asPlugin(context, options);
      const product_id = await findProductId(context, product as string);
      const body = { product_id, machine_id: options.machine as string };
      const answer = await api.startTrial({ body }, context.call);
      await context.print(answer, `${card(answer)}Ends              ${answer.trial_ends_at ?? '–'}\n`);
    },
  },
  {
    path: 'license time',
    summary: 'The server’s time, for plugins that do not trust their machine',
    operations: ['getLicenseTime'],
    options: [['--product <product>', 'sign it for this HISE plugin: id or name'], ...KEY],
    examples: ['tonerow license time --key-file plugin-key.txt'],
    async run(context, _args, options) {
      const product_id = options.product ? await findProductId(context, options.product) : undefined;
      const api = await asPlugin(context, { ...options, machine: 'any' });
      const answer = await api.getLicenseTime({ query: { product_id } }, context.call);
      await context.print(answer, `${answer.time}\n${answer.hise === undefined ? '' : `${answer.hise}\n`}`);
    },
  },
  {
    path: 'products rsa',
    summary: 'The RSA public key that a JUCE or HISE plugin carries; --import sets a pair of your own',
    operations: ['getProductRsa', 'importProductRsa'],
    args: [['<product>', 'id or name']],
    options: [
      ['--format <format>', 'json, juce ("e,n"), cpp or hise (RSA.xml)', 'juce'],
      ['--import <pem>', 'a file with a private key of 2048 bits or more, e = 65537'],
      ['--replace', 'although plugins that were shipped carry the old one'],
      OUT,
    ],
    examples: [
      'tonerow products rsa "Prism Delay" --format cpp',
      'tonerow products rsa "Prism Delay" --import private-key.pem --replace',
    ],
    async run(context, [name], options) {
      const api = await context.api();
      const { id } = await findProduct(api, name as string, context.io.signal);
      if (options.import) {
        const body = { private_key_pem: await text(options.import), replace: options.replace === true };
        const done = await api.importProductRsa({ path: { id }, body }, context.call);
        return context.print(done, list(Object.entries(done).map(([key, value]) => [key, String(value)])));
      }
      const query = { format: options.format };
      const response = await api.stream.getProductRsa({ path: { id }, query }, { ...context.call, accept: '*/*' });
      await show(context, response, outOf(options, 'public'));
    },
  },
];
