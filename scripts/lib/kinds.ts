/** The places of tests. */
export const testGlobs = ['packages/*/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'scripts/**/*.test.ts'];

/** How tests import what they share. */
export const TEST_SUPPORT = '@tonerow/test-support/';

/** The kinds of tests: `npm test -- KIND` runs one. */
export const kinds = ['unit', 'http', 'cli', 'browser', 'resilience', 'examples', 'gates'] as const;
export type Kind = (typeof kinds)[number];

export const isKind = (word: string): word is Kind => (kinds as readonly string[]).includes(word);

const folders: Record<string, Kind> = {
  'test/access/': 'http',
  'test/browser/': 'browser',
  'test/cli/': 'cli',
  'test/examples/': 'examples',
  'test/gates/': 'gates',
  'test/guides/': 'examples',
  'test/packages/': 'resilience',
  'test/resilience/': 'resilience',
  'packages/cli/': 'cli',
};

/**
 * The kind of a test file. In the server a test with a database is `http`, and one without is `unit`.
 * @param file its path below the root, with forward slashes.
 * @param text what is in it.
 */
export function kindOf(file: string, text: string): Kind {
  const folder = Object.keys(folders).find((each) => file.startsWith(each));
  if (folder) return folders[folder] as Kind;
  return file.startsWith('packages/server/') && text.includes(TEST_SUPPORT) ? 'http' : 'unit';
}
