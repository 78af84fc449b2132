import { createHash } from 'node:crypto';

/** The names of a project's parts, made from names that may have any characters. */
export interface Names {
  /** Its folder: `prism-delay`. */
  slug: string;
  /** The name in CMake and C++: `PrismDelay`. */
  target: string;
  /** The name for hosts and files: `Prism Delay`. */
  title: string;
  company: string;
  /** The inline namespace, so that two developers' plugins can be in one process: `ada_audio_licensing`. */
  namespace: string;
  bundleId: string;
  /** Four letters, as Audio Units want them. */
  manufacturerCode: string;
  pluginCode: string;
}

/** Folders that Windows refuses. */
const REFUSED = /^(con|prn|aux|nul|com\d|lpt\d)$/;
/** Names that CMake, JUCE or the libraries have taken. */
const TAKEN = /^(all|clean|curl|edit|help|install|juce|openssl|package|test|threads|tonerow)$/i;

export function namesOf(name: string, company: string, productId: string): Names {
  const words = wordsIn(name);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const target = /^[A-Za-z]/.test(joined) && !TAKEN.test(joined) ? joined : `Plugin${joined}`;
  const slug = words.join('-').toLowerCase() || 'plugin';
  const owner = wordsIn(company);
  const snake = owner.join('_').toLowerCase() || 'my_company';
  const letters = owner.join('').replace(/[^A-Za-z]/g, '');
  return {
    slug: REFUSED.test(slug) ? `${slug}-plugin` : slug,
    target,
    title: words.join(' ') || target,
    company: owner.join(' ') || 'My Company',
    namespace: `${/^\d/.test(snake) ? 'by_' : ''}${snake}_licensing`,
    bundleId: `com.${owner.join('').toLowerCase() || 'mycompany'}.${target.toLowerCase()}`,
    manufacturerCode: capitalized(letters.slice(0, 4).padEnd(4, 'x')),
    // the same for the same product, and hardly another one's
    pluginCode: codeOf(productId),
  };
}

/** Words of ASCII letters and digits: `Röhre №2` has `Rohre` and `No2`. */
function wordsIn(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{Mark}/gu, '');
  return plain.match(/[A-Za-z0-9]+/g) ?? [];
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

function codeOf(id: string): string {
  const [first = 0, ...more] = createHash('sha256').update(id).digest();
  const letter = (byte: number) => String.fromCharCode(97 + (byte % 26));
  return capitalized([first, ...more.slice(0, 3)].map(letter).join(''));
}
