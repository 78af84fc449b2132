import { readFile } from 'node:fs/promises';
import type { ProductCard } from '@tonerow/sdk';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, UsageError } from '../exit.ts';
import { fetchLinked } from '../output/linked-file.ts';
import { outOf, receive } from '../output/stream.ts';
import { table } from '../output/table.ts';
import { ask } from '../prompt.ts';

const TOKEN = [['--token-file <file>', 'the download token, else from TONEROW_DOWNLOAD_TOKEN']] as const;

function cards(products: ProductCard[]): string {
  const rows = products.map((each) => [
    each.product_name,
    each.serial_code,
    each.revoked ? 'suspended' : 'active',
    `${each.download_count}/${each.download_limit}`,
    each.files.map((file) => file.name).join(', '),
  ]);
  return products.length === 0
    ? 'You currently have no downloadable products.\n'
    : table(['PRODUCT', 'SERIAL', 'STATE', 'DOWNLOADS', 'FILES'], rows);
}

async function opened(context: Context, options: { tokenFile?: string }): Promise<ProductCard[]> {
  const download_token = await context.secret({
    env: 'TONEROW_DOWNLOAD_TOKEN',
    file: options.tokenFile,
    what: 'the download token',
    how: '--token-file or TONEROW_DOWNLOAD_TOKEN',
  });
  const api = await context.client();
  return (await api.listRedeemedProducts({ body: { download_token } }, context.call)).products;
}

export const redeemCommands: Command[] = [
  {
    path: 'redeem',
    summary: 'Redeem a serial as a customer does',
    operations: ['initiateRedemption', 'completeRedemption'],
    args: [['<serial>', 'the code']],
    options: [
      ['--email <address>', 'the customer’s address'],
      ['--first-name <name>', 'needed the first time'],
      ['--last-name <name>', 'needed the first time'],
      ['--dev <id>', 'the developer whose page it is'],
    ],
    examples: ['tonerow redeem ABCD-EFGH-2345-6789 --email nina@example.com --first-name Nina --last-name Simone'],
    async run(context, [serial], options) {
      const input = context.globals.input;
      const email = options.email ?? (await ask(context.io, input, { text: 'E-mail: ', instead: '--email' }));
      const api = await context.client();
      let result = await api.initiateRedemption(
        { body: { serial: serial as string, email, dev: options.dev } },
        context.call,
      );
      if (result.require_name && result.temp_token) {
        const first_name =
          options.firstName ?? (await ask(context.io, input, { text: 'First name: ', instead: '--first-name' }));
        const last_name =
          options.lastName ?? (await ask(context.io, input, { text: 'Last name: ', instead: '--last-name' }));
        result = await api.completeRedemption(
          { body: { temp_token: result.temp_token, first_name, last_name } },
          context.call,
        );
      }
      await context.print(result, cards(result.products ?? []));
    },
  },
  {
    path: 'downloads list',
    summary: 'What a download token opens',
    operations: ['listRedeemedProducts'],
    options: TOKEN,
    examples: ['tonerow downloads list --token-file download-token.txt'],
    async run(context, _args, options) {
      const products = await opened(context, options);
      await context.print(products, cards(products));
    },
  },
  {
    path: 'downloads get',
    summary: 'Download a file; counts as one of five',
    operations: ['downloadFile'],
    args: [['<file>', 'its label']],
    options: [...TOKEN, ['--serial <code>', 'of which serial, when there are several'], ['--out <file>', 'where to']],
    examples: ['tonerow downloads get macOS --token-file download-token.txt --out PrismDelay.dmg'],
    async run(context, [label], options) {
      if (!options.out) throw new UsageError('Say where to: --out FILE.');
      const products = await opened(context, options);
      const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();
      const fitting = products.filter((each) => !options.serial || bare(each.serial_code) === bare(options.serial));
      const files = fitting.flatMap((each) => each.files).filter((file) => file.name === label);
      if (files.length === 0) throw new Failure(`There is no file "${label}". "tonerow downloads list" shows them.`);
      if (files.length > 1) throw new UsageError('Several products have such a file: say which with --serial.');
      const token = new URL((files[0] as { url: string }).url).searchParams.get('token') ?? '';
      const response = await (await context.client()).stream.downloadFile({ query: { token } }, context.call);
      const file = await fetchLinked(context, response, label as string);
      await receive(context, file, outOf(options, 'public'), 'Receiving');
    },
  },
  {
    path: 'downloads find',
    summary: 'Have a link mailed that opens all that an address owns at one developer',
    operations: ['requestMyProducts'],
    args: [['<email>', 'the customer’s address']],
    options: [['--dev <id>', 'the developer whose page it is']],
    examples: ['tonerow downloads find nina@example.com --dev 01900000-0000-7000-8000-000000000002'],
    async run(context, [email], options) {
      const body = { email: email as string, dev: options.dev as string | undefined };
      const { message } = await (await context.client()).requestMyProducts({ body }, context.call);
      context.note(message);
    },
  },
  {
    path: 'downloads open',
    summary: 'Open the link from the letter: products, machines, and a download token',
    operations: ['openMyProducts'],
    args: [['<token>', 'the end of the link, after open=']],
    examples: ['tonerow downloads open LINK-TOKEN'],
    async run(context, [token]) {
      const found = await (await context.client()).openMyProducts({ body: { token: token as string } }, context.call);
      const machines = Object.entries(found.machines).flatMap(([code, all]) =>
        all.map((each) => [each.id, code, each.name, each.version, each.last_seen_at]),
      );
      const seats =
        machines.length > 0 ? `\n${table(['ID', 'SERIAL', 'MACHINE', 'VERSION', 'LAST SEEN'], machines)}` : '';
      await context.print(found, cards(found.products) + seats);
    },
  },
  {
    path: 'downloads release',
    summary: 'Free the seat of a machine that is not used any more',
    operations: ['releaseMachine'],
    args: [
      ['<token>', 'the end of the link, after open='],
      ['<machine>', 'its id, from "tonerow downloads open"'],
    ],
    examples: ['tonerow downloads release LINK-TOKEN 01900000-0000-7000-8000-000000000001'],
    async run(context, [token, machine]) {
      const body = { token: token as string, machine_id: machine as string };
      await (await context.client()).releaseMachine({ body }, context.call);
      context.note('The seat is free.');
    },
  },
  {
    path: 'downloads offline',
    summary: 'The license file of one’s own computer without network',
    operations: ['createOwnOfflineLicense'],
    args: [
      ['<token>', 'the end of the link, after open='],
      ['<serial>', 'the code'],
      ['<machine-file>', 'what the plugin wrote on that computer'],
    ],
    options: [['--out <file>', 'write to a file', '-']],
    examples: ['tonerow downloads offline LINK-TOKEN ABCD-EFGH-2345-6789 machine.txt --out license.txt'],
    async run(context, [token, serial, file], options) {
      const machine_file = await readFile(file as string, 'utf8');
      const body = { token: token as string, serial: serial as string, machine_file };
      const api = await context.client();
      const response = await api.stream.createOwnOfflineLicense({ body }, { ...context.call, accept: '*/*' });
      await receive(context, response, outOf(options), 'Receiving');
    },
  },
];
