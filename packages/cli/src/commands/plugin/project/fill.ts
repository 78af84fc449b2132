import type { Names } from './names.ts';

export type Kind = 'juce' | 'cmake' | 'hise';

export interface Values {
  names: Names;
  url: string;
  /** The address at which the developer’s customers redeem. */
  redemptionPage: string;
  pluginKey: string;
  product: { id: string; name: string };
  developer: { id: string; name: string };
  keys: readonly { kid: string; x: string }[];
  /** The product's, for HISE alone. */
  rsa?: { publicKey: string; file?: string };
  isInstrument: boolean;
  /** Only for HISE: the license is in the C++ of the node. */
  hasBridge: boolean;
}

/** The files of a project by their paths, from those that the client brings. */
export function filesOf(kind: Kind, shipped: Record<string, string>, values: Values): Record<string, string> {
  const files: Record<string, string> = {};
  const take = (from: string, to: string) => {
    for (const [file, text] of Object.entries(shipped))
      if (file.startsWith(from)) files[to + file.slice(from.length)] = text;
  };
  take(`new/${kind}/`, '');
  if (kind === 'hise') {
    take('hise/Tonerow', 'Scripts/Tonerow');
    if (values.hasBridge) {
      take('new/hise-bridge/', '');
      take('hise/tonerow_gate.h', `${NODES}/tonerow_gate.h`);
      take('new/shared/source/', `${NODES}/src/`);
    }
  } else {
    take('new/shared/source/', 'source/');
    take('new/shared/license-check/', 'license-check/');
    take('new/shared/gitignore', '.gitignore');
  }
  const filled = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, fill(file, text, values)]));
  if (values.rsa?.file) filled['RSA.xml'] = values.rsa.file;
  if (kind === 'hise' && !values.hasBridge) return filled;
  // a copy, in which nothing is filled in
  const copies = Object.entries(shipped).flatMap(([file, text]) => {
    const to = kind === 'hise' ? bridgeCopy(file) : file.startsWith('tonerow/') && file;
    return to ? [[to, text]] : [];
  });
  return { ...filled, ...Object.fromEntries(copies) };
}

/** HISE takes every header beside this folder for a node. */
const NODES = 'DspNetworks/ThirdParty';

/** The path at which HISE’s own compiler finds a file that the node includes; null for all other files. */
function bridgeCopy(file: string): string | null {
  if (/^hise\/(HiseBridge|Signatures)\.h$/.test(file)) return `${NODES}/src/tonerow/${file}`;
  return /^tonerow\/(core\/|tonerow_juce\/license\/|LICENSE)/.test(file) ? `${NODES}/src/${file}` : null;
}

function fill(file: string, text: string, values: Values): string {
  const { names, product, developer, rsa, isInstrument } = values;
  const known: Record<string, string | undefined> = {
    TONEROW_URL: values.url,
    REDEMPTION_PAGE: values.redemptionPage,
    PLUGIN_KEY: values.pluginKey,
    PRODUCT_ID: product.id,
    PRODUCT_NAME: product.name,
    DEVELOPER_ID: developer.id,
    DEVELOPER_NAME: developer.name,
    RSA_PUBLIC_KEY: rsa?.publicKey,
    TARGET: names.target,
    SLUG: names.slug,
    TITLE: names.title,
    COMPANY: names.company,
    NAMESPACE: names.namespace,
    BUNDLE_ID: names.bundleId,
    MANUFACTURER_CODE: names.manufacturerCode,
    PLUGIN_CODE: names.pluginCode,
    IS_SYNTH: isInstrument ? 'TRUE' : 'FALSE',
  };
  const keys = values.keys.map(({ kid, x }) => `{ ${quoted(kid)}, ${quoted(x)} }`).join(', ');
  return text
    .replace('{ "{{KEY_ID}}", "{{KEY_X}}" }', () => keys)
    .replace(/\{\{([A-Z_]+)\}\}/g, (placeholder, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`${file}: nothing is known of ${placeholder}`);
      return escaped(value, file);
    });
}

const quoted = (text: string) => `"${escaped(text, '.h')}"`;

/** A name may have characters that would close the string or the comment around it. */
function escaped(value: string, file: string): string {
  const line = value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  if (/\.(h|cpp)$/.test(file)) return line.replace(/["\\]/g, '\\$&');
  if (file.endsWith('.js')) return line.replace(/["'\\]/g, '\\$&').replaceAll('*/', '*\\/');
  return line;
}
