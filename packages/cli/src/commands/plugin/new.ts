import path from 'node:path';
import { defineCommand } from '#define/define-command.ts';
import { flag, orFrom, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { list } from '#output/table.ts';
import type { Kind } from './project/fill.ts';
import { namesOf } from './project/names.ts';
import { keyOf, productOf, publicKeysOf } from './project/values.ts';
import { mustBeWritable, mustNotExist, writeProject } from './project/write-project.ts';

export const pluginNew = defineCommand({
  path: 'plugin new',
  summary: 'Write a project that builds a licensed plugin, with your server, plugin key and public keys filled in',
  operations: [
    'getMe',
    'getPrivateBranding',
    'listProducts',
    'getProduct',
    'listPluginKeys',
    'revealPluginKey',
    'createPluginKey',
    'getLicenseTime',
    'getLicenseKeys',
    'getProductRsa',
  ],
  shows: [],
  fields: ['folder', 'kind', 'files', 'product_id', 'url', 'key_ids'],
  once: true,
  args: [['<name>', 'what the plugin is called']],
  options: {
    juce: flag('a JUCE plugin with a panel of every screen'),
    cmake: flag('C++ without a framework, with CMake and libcurl'),
    hise: flag('scripts for a HISE project, with every screen'),
    instrument: flag('with --juce: an instrument rather than an effect'),
    bridge: flag('with --hise: the license in C++, unlocked from the first block on'),
    product: text('<product>', 'the product: id or name; by default the one with the plugin’s name'),
    key: text('<key>', 'the plugin key that it ships: label or id'),
    keyFile: orFrom('TONEROW_PLUGIN_KEY', text('<file>', 'the plugin key itself')),
    dir: text('<folder>', 'the folder that is made; by default one with the plugin’s name, here'),
    yes: flag('create a plugin key, without a question'),
  },
  examples: [
    'tonerow plugin new "Prism Delay" --juce --key "Prism Delay 1.x"',
    'tonerow plugin new "Prism Delay" --cmake --yes --dir prism',
    'tonerow plugin new "Glass Keys" --hise --product "Prism Delay" --yes',
    'tonerow plugin new "Glass Keys" --hise --bridge --product "Prism Delay" --yes',
  ],
  async run({ context, args: [name], options }) {
    const kind = kindOf(options);
    if (options.instrument && kind !== 'juce') throw new UsageError('--instrument goes with --juce.');
    if (options.bridge && kind !== 'hise') throw new UsageError('--bridge goes with --hise.');
    if (options.key !== undefined && options.keyFile !== undefined)
      throw new UsageError('Give the plugin key by --key or by --key-file.');
    // before a key is made for it
    const wanted = options.dir ?? namesOf(name, '', '').slug;
    const folder = path.resolve(wanted);
    await mustNotExist(folder);
    await mustBeWritable(folder);
    const api = await context.api();
    const me = await api.getMe({}, context.call);
    if (me.role !== 'developer') throw new UsageError('A plugin is a developer’s, and this is a reseller’s account.');
    const developer = { id: me.id, name: me.company_name || `${me.first_name} ${me.last_name}`.trim() };
    // the default one: what ships in a plugin outlives a domain that somebody gives up
    const { redeem_url } = await api.getPrivateBranding({}, context.call);
    const product = await productOf(context, api, name, options.product);
    const pluginKey = await keyOf(context, api, `${name} (plugin new)`, options);
    const keys = await publicKeysOf(context, developer.id, pluginKey);
    const rsaAs = async (format: 'juce' | 'hise') =>
      (
        await api.stream.getProductRsa(
          { path: { id: product.id }, query: { format } },
          { ...context.call, accept: '*/*' },
        )
      ).text();
    const rsa =
      kind === 'hise'
        ? { publicKey: (await rsaAs('juce')).trim(), ...(options.bridge ? {} : { file: await rsaAs('hise') }) }
        : undefined;
    const [{ shippedFiles }, { filesOf }] = await Promise.all([
      import('./project/shipped-files.ts'),
      import('./project/fill.ts'),
    ]);
    const url = (await context.url()).replace(/\/+$/, '');
    const files = filesOf(kind, await shippedFiles(), {
      names: namesOf(name, developer.name, product.id),
      url,
      redemptionPage: redeem_url,
      pluginKey,
      product,
      developer,
      keys,
      ...(rsa ? { rsa } : {}),
      isInstrument: options.instrument,
      hasBridge: options.bridge,
    });
    await writeProject(folder, files, context.io.signal);
    const made = {
      folder,
      kind,
      files: Object.keys(files).sort(),
      product_id: product.id,
      url,
      key_ids: keys.map(({ kid }) => kid),
    };
    const rows: [string, string][] = [
      ['Folder', folder],
      ['Product', product.name],
      ['Server', url],
      ['Public keys', made.key_ids.join(', ')],
    ];
    await context.print(made, list(rows));
    if (!url.startsWith('https:'))
      context.note(
        `${url} is an address for trying. Before you ship, set config.server to the one that customers reach.`,
      );
    context.note(NEXT[kind](wanted));
  },
});

const NEXT: Record<Kind, (folder: string) => string> = {
  juce: built,
  cmake: built,
  hise: (folder) => `Next: ${folder}/README.md has the steps.`,
};

function built(folder: string): string {
  return `Next:\n  cmake -S ${folder} -B ${folder}/build && cmake --build ${folder}/build\n  tonerow license doctor --build ${folder}/build`;
}

function kindOf(options: Record<Kind, boolean>): Kind {
  const [kind, ...more] = (['juce', 'cmake', 'hise'] as const).filter((each) => options[each]);
  if (kind === undefined || more.length > 0) throw new UsageError('Choose what it is for: --juce, --cmake or --hise.');
  return kind;
}
