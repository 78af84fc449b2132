/** The files of `examples/` and of the plugin’s `hise/`, loaded when they are shown: each is a chunk of its own. */
type Language = 'shell' | 'cpp' | 'script';

interface SnippetFile {
  name: string;
  language: Language;
  load: () => Promise<{ default: string }>;
}

export interface SnippetSet {
  id: 'curl' | 'juce' | 'unlock' | 'hise';
  title: string;
  about: string;
  files: [SnippetFile, ...SnippetFile[]];
}

const shell = (name: string, load: SnippetFile['load']): SnippetFile => ({ name, language: 'shell', load });
const cpp = (name: string, load: SnippetFile['load']): SnippetFile => ({ name, language: 'cpp', load });

export const universalSets: [SnippetSet, ...SnippetSet[]] = [
  {
    id: 'curl',
    title: 'curl',
    about:
      'The three calls, plus verify.sh to check that a response really comes from the server. For a first look, or for any other framework.',
    files: [
      shell('activate.sh', () => import('../../../../../examples/curl/activate.sh?raw')),
      shell('validate.sh', () => import('../../../../../examples/curl/validate.sh?raw')),
      shell('deactivate.sh', () => import('../../../../../examples/curl/deactivate.sh?raw')),
      shell('verify.sh', () => import('../../../../../examples/curl/verify.sh?raw')),
    ],
  },
  {
    id: 'juce',
    title: 'C++ with JUCE',
    about:
      'For the JUCE module in packages/plugin, which has every screen. Works offline until its token expires, and honors revocation.',
    files: [cpp('MyLicense.h', () => import('../../../../../examples/juce/MyLicense.h?raw'))],
  },
  {
    id: 'unlock',
    title: 'OnlineUnlockStatus',
    about: "JUCE's own unlocking and form, with no library to add. Requires the product's RSA key, below.",
    files: [cpp('OnlineUnlock.h', () => import('../../../../../examples/juce/OnlineUnlock.h?raw'))],
  },
];

export const hiseSet: SnippetSet = {
  id: 'hise',
  title: 'HiseScript',
  about:
    "Goes into your project's Scripts folder. TonerowPanel.js is a ready form over Tonerow.js, and needs TonerowTexts.js beside it; the comments at the top show what to call.",
  files: [
    { name: 'Tonerow.js', language: 'script', load: () => import('../../../../plugin/hise/Tonerow.js?raw') },
    {
      name: 'TonerowPanel.js',
      language: 'script',
      load: () => import('../../../../plugin/hise/TonerowPanel.js?raw'),
    },
    {
      name: 'TonerowTexts.js',
      language: 'script',
      load: () => import('../../../../plugin/hise/TonerowTexts.js?raw'),
    },
  ],
};

export interface SnippetValues {
  TONEROW_URL: string;
  PLUGIN_KEY?: string | undefined;
  PRODUCT_ID?: string | undefined;
  PRODUCT_NAME?: string | undefined;
  JUCE_PRODUCT_ID?: string | undefined;
  DEVELOPER_ID?: string | undefined;
  RSA_PUBLIC_KEY?: string | undefined;
}

/** A product's name may contain characters that would close the surrounding string or comment. */
function escaped(value: string, language: Language): string {
  const line = value.replace(/[\r\n]+/g, ' ');
  if (language === 'shell') return line.replaceAll("'", "'\\''");
  const quoted = line.replace(/["'\\]/g, '\\$&');
  return language === 'script' ? quoted.replaceAll('*/', '*\\/') : quoted;
}

/** Unknown values keep their placeholders, which the files themselves report. */
export function fillSnippet(text: string, language: Language, values: SnippetValues): string {
  const known = new Map<string, string | undefined>(Object.entries(values));
  return text.replace(/\{\{([A-Z_]+)\}\}/g, (placeholder, name: string) => {
    const value = known.get(name);
    return value ? escaped(value, language) : placeholder;
  });
}
