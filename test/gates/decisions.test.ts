import { readdirSync, readFileSync } from 'node:fs';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';

const folder = 'docs/decisions';
const pages = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
const index = readFileSync(`${folder}/README.md`, 'utf8');
const titleOf = (page: string) => readFileSync(`${folder}/${page}`, 'utf8').split('\n', 1)[0]?.replace('# ', '') ?? '';

/** Numbers in the rows of the table of those that have no page. */
const gone = index
  .split('\n')
  .flatMap((line) => /^\|([\d, ]+)\|/.exec(line)?.[1]?.split(',') ?? [])
  .map((number) => number.trim());

/** The places where a file names a decision that has no page. */
function astray(file: string, text: string): string[] {
  const named = text.matchAll(/\bdecisions?[ /]\[?(\d{4})\b/gi);
  return [...named].flatMap(([words, number]) =>
    pages.some((page) => page.startsWith(`${number}-`)) ? [] : [`${file}: ${words}`],
  );
}

describe('the index of decisions', () => {
  it('has every page under its own title', () => {
    const listed = index.split('\n').filter((line) => line.startsWith('- '));
    expect(listed.sort()).toEqual(pages.map((page) => `- [${page.slice(0, 4)}](${page}) ${titleOf(page)}`).sort());
  });

  it('has every number up to the newest once', () => {
    const numbers = [...pages.map((page) => page.slice(0, 4)), ...gone].sort();
    const newest = Number(numbers.at(-1));
    expect(newest).toBeGreaterThan(100);
    expect(numbers).toEqual(Array.from({ length: newest }, (_, at) => String(at + 1).padStart(4, '0')));
  });
});

describe('a decision', () => {
  it('is titled with its subject, then what was decided', () => {
    expect(pages.filter((page) => !/^[A-Z@][^:]{1,40}: \S/.test(titleOf(page)))).toEqual([]);
  });

  it('has its context, what was decided and what it costs', () => {
    const lacking = pages.filter((page) => {
      const text = readFileSync(`${folder}/${page}`, 'utf8');
      const decided = /^\*\*Decision\.\*\*/m.test(text) || text.split('\n## ').length > 2;
      return !decided || !['Context', 'Cost'].every((part) => text.includes(`\n**${part}.**`));
    });
    expect(lacking).toEqual([]);
  });

  it('that a file names has a page', () => {
    const files = execaSync('git', ['grep', '-lIiE', 'decisions?[ /]'], { lines: true }).stdout;
    expect(files.length).toBeGreaterThan(15);
    expect(files.flatMap((file) => astray(file, readFileSync(file, 'utf8')))).toEqual([]);
    const merged = gone.at(-1);
    expect(astray('a.ts', `// see decision ${merged}, not decision ${pages[0]}`)).toEqual([`a.ts: decision ${merged}`]);
  });
});
