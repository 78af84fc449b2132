import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'docs/decisions';

it('every decision is in the index under its own title', () => {
  const pages = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
  const lines = pages.map((name) => {
    const title = readFileSync(`${folder}/${name}`, 'utf8').split('\n', 1)[0]?.replace('# ', '');
    return `- [${name.slice(0, 4)}](${name}) ${title}`;
  });
  const index = readFileSync(`${folder}/README.md`, 'utf8');
  const listed = index.split('\n').filter((line) => line.startsWith('- '));
  expect(listed.sort()).toEqual(lines.sort());
});
