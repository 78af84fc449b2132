import { readFileSync } from 'node:fs';
import { notesOf, proseOf, textsOf, wrongInNote, wrongWords } from '@tonerow/test-support/words.ts';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { pageTexts } from '../../packages/server/src/features/branding/download-pages/download-page-texts.ts';

const tracked = (...patterns: string[]) => execaSync('git', ['ls-files', ...patterns], { lines: true }).stdout;

/**
 * Text that people type to find a screen has other names on purpose. Notes about the inside have the names of the
 * inside.
 */
const hasOtherNames = (place: string, text: string) =>
  (place.endsWith('palette/entries.ts') && /^[a-z]/.test(text)) || /^docs\/decisions\/|^ARCHITECTURE\.md$/.test(place);

/** Each text with its place, when something is wrong with it. */
const offenders = (place: string, texts: string[]) =>
  texts.flatMap((text) =>
    wrongWords(text, !hasOtherNames(place, text)).map(
      (wrong) => `${place}: ${wrong} in “${text.trim().slice(0, 120)}”`,
    ),
  );

const sources = tracked('packages/*/src/**').filter(
  (file) =>
    /\.tsx?$/.test(file) &&
    !/\.test\.ts|\/generated\/|routeTree\.gen|\.entity\.ts$|(?:redeem-texts|emails\/languages)\/(?:de|es|fr|ja)\.ts$|download-page-texts\.ts$|imports\/assistant\/(?:heads|presets)\.ts$/.test(
      file,
    ),
);

describe('words that people read', () => {
  it('are the glossary’s in screens, messages, help and emails', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.flatMap((file) => offenders(file, textsOf(file)))).toEqual([]);
    expect(offenders('download-pages/download-page-texts.ts', strings(pageTexts.en))).toEqual([]);
  });

  it('are the glossary’s in the contract', () => {
    const contract: unknown = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8'));
    expect(offenders('openapi.json', descriptions(contract))).toEqual([]);
  });

  it('are the glossary’s in the documents', () => {
    const found = tracked('*.md').flatMap((file) => offenders(file, proseOf(readFileSync(file, 'utf8'))));
    expect(found).toEqual([]);
  });
});

describe('words among the sources', () => {
  it('are plain in comments and in the names of tests', () => {
    const files = tracked('packages/*/src/**', 'packages/sdk/generator/**', 'test/**', 'scripts/**').filter(
      (file) => /\.tsx?$/.test(file) && !/\/generated\/|routeTree\.gen/.test(file) && !file.endsWith('words.test.ts'),
    );
    expect(files.length).toBeGreaterThan(1500);
    const found = files.flatMap((file) =>
      notesOf(file).flatMap((note) => wrongInNote(note).map((wrong) => `${file}: ${wrong} in “${note.trim()}”`)),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['comment', '// Whom it is about.\nconst a = 1;'],
    ['comment that begins with whose it is', '/** Of one account. */\nconst MOST = 1;'],
    ['comment of several lines', '/**\n * What the server\n * says.\n */\nconst a = 1;'],
    ['name of a test', "it('tells what became of it', () => {});"],
    ['name of a table of tests', "describe('x', () => { it.each([1])('stands at %i', () => {}); });"],
  ])('are found in a %s', (_, source) => {
    expect(notesOf('planted.test.ts', source).flatMap(wrongInNote)).not.toEqual([]);
  });
});

describe('the gate finds a planted', () => {
  it.each([
    ['string', "const a = 'Look at your e-mail';"],
    ['label', "const tabs = ['Mails'];"],
    ['template', `const a = \`We sent a letter to \${name}.\`;`],
    ['text between tags', 'const a = <p>Pick a colour</p>;'],
    ['attribute', 'const a = <Field hint="What the server says." />;'],
    ['sentence of a message', "throw new AppError('x', 'A fault of ours.');"],
  ])('%s', (_, source) => {
    expect(textsOf('planted.tsx', source).flatMap((each) => wrongWords(each))).not.toEqual([]);
  });

  it.each([
    'Ask whom?',
    'What became of them',
    'See what has become of it',
    'The end of a license is said by its date',
    'What is stored is what counts',
    'The licence file',
    'It is cancelled',
    'It tells the time',
    'He stands',
    'The promotion has ended',
    'The buyer has the code',
    'Free a seat',
    'Log in again',
    'Add an endpoint',
    'Turn it off',
    'Upload a picture',
    'Your last bill',
    'Enter a serial code',
    'The sale window is over',
  ])('sentence of a document: %s', (sentence) => {
    expect(proseOf(`# Title\n\n${sentence}\n`).flatMap((each) => wrongWords(each))).not.toEqual([]);
  });

  it.each([
    "await db.query('select recipient from mails where id = $1');",
    "import { letter } from './letter.ts';",
    "const a = ['Login failed.', 'Last Login', 'Logout', 'with a free seat', 'Sale price', 'It takes a turn and goes on'];",
    "const a = 'Four letters or digits, from the mail server';",
    'const a = <p className="mail letter">Email</p>;',
  ])('and leaves code alone: %s', (source) => {
    expect(textsOf('planted.tsx', source).flatMap((each) => wrongWords(each))).toEqual([]);
  });

  it('and leaves code in documents alone', () => {
    const markdown = 'Run `tonerow mail log`.\n\n```sh\necho letter\n```\n\n[here](docs/letters.md)';
    expect(proseOf(markdown).flatMap((each) => wrongWords(each))).toEqual([]);
  });
});

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
}

function descriptions(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'string'
      ? ['summary', 'description', 'title'].includes(key)
        ? [child]
        : []
      : descriptions(child),
  );
}
