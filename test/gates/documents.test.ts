import { readFileSync } from 'node:fs';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';

const files = execaSync('git', ['ls-files'], { lines: true }).stdout;
/** Each file, and each of its addresses from a folder above it: `features/products/tables.ts`, `tables.ts`. */
const known = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))));

/** Files that a document names and that there are not. What is in capitals is to be filled in. */
const missing = (markdown: string) =>
  [...markdown.replace(/^```.*?^```/gms, '').matchAll(/`([\w@./-]+\.(?:tsx?|[cm]js|json|sh|grit|md))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/^[./]/.test(name) && !known.has(name) && !/[A-Z]{3,}.*\.ts/.test(name));

it('every file that a document of the developers names is there', () => {
  const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'].concat(
    files.filter((file) => /^docs\/(decisions\/|\w+\.md$)/.test(file)),
  );
  expect(documents.length).toBeGreaterThan(90);
  expect(documents.flatMap((file) => missing(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`))).toEqual(
    [],
  );
  expect(missing('see `features/products/tables.ts`, `calls/NAME.call.ts` and `features/products/former.ts`')).toEqual([
    'features/products/former.ts',
  ]);
});

it('ARCHITECTURE names every feature of the server, and every room in one', () => {
  const table = /^\| feature .*?(?=^$)/ms.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[0] ?? '';
  const names = new Set(table.match(/[a-z]+(?:-[a-z]+)*/g));
  const rooms = files.flatMap((file) => {
    const [feature = '', room, ...deeper] = file.split('packages/server/src/features/')[1]?.split('/') ?? [];
    return room === undefined ? [] : [feature, ...(deeper.length > 0 ? [`${feature}/${room}`] : [])];
  });
  expect(rooms.length).toBeGreaterThan(500);
  const missing = [...new Set(rooms)].filter((room) => !names.has(room.slice(room.indexOf('/') + 1)));
  expect(missing).toEqual([]);
});
