import { expect, it } from 'vitest';
import { filtered, listProgram, needsWholeList } from './jq.ts';

const rows = Array.from({ length: 7 }, (_, id) => ({
  id,
  name: `N${id}`,
  state: id % 2 ? 'odd' : 'even',
  tags: id === 3 ? ['a', 'b'] : [],
  mixed: [1, 1.5, null, true, 'two\nlines', { a: 1 }, 2 ** 60][id],
}));

async function inParts(program: string, size: number): Promise<string> {
  const run = listProgram(program);
  let text = '';
  for (let at = 0; at < rows.length; at += size) text += await run.part(rows.slice(at, at + size));
  return text + (await run.end());
}

const ROW_BY_ROW = [
  '.[]',
  '.[].name',
  ' .[] | .name ',
  '.[].id',
  '.[].missing',
  '.[].missing.deeper',
  '.[].tags',
  '.[].mixed',
  '.[]["name"]',
  '.[].tags[0]?',
  '.[] | select(.id > 2) | .name',
  '.[] | "\\(.name): \\(.tags | join("|"))"',
  '.[] | .id, .name',
  '.[] | if .id > 3 then .name else empty end',
  '.[] | def twice: . * 2; .id | twice',
  'map(.name)',
  'map({id, up: (.name | ascii_downcase)})',
  'map(select(.id > 99))',
  '[.[] | select(.state == "odd")]',
  'map(.id) | map(. + 1)',
  'map(.tags) | .[] | length',
  'length',
  'map(select(.state == "odd")) | length',
  '[.[].id] | add',
  'map(.id) | add',
  'map(.tags) | add',
  'map(.name) | add',
  'reduce .[] as $row (0; . + $row.id)',
  'reduce .[] as {id: $id, state: $state} ({}; .[$state] += $id) | to_entries[] | "\\(.key) \\(.value)"',
  '.',
];

it.each(ROW_BY_ROW)('%s makes of parts what it makes of the whole list', async (program) => {
  const whole = await filtered(rows, program);
  expect(needsWholeList(program)).toBe(false);
  for (const size of [1, 3, 7, 100]) expect(await inParts(program, size)).toBe(whole);
});

it.each([
  'sort_by(.name)',
  'group_by(.state)',
  '.[0]',
  '.[].id, .[].name',
  '.[].id + length',
  '.[] as $row | length',
  '. as $all | .[] | $all[0].id',
  'map(.id), length',
  'map(.name) | join(",")',
  '[.[]] + .',
  'first(.[])',
  '.[][.[0].name]',
  'reduce .[] as $row (length; . + 1)',
  'def all: .[]; all | .name',
  '.[] | input',
  'unique_by(.state) | length',
  '"unclosed',
])('%s is run on the whole list', async (program) => {
  expect(needsWholeList(program)).toBe(true);
});

it('refuses a whole list that is too long, before it shows anything of it', async () => {
  const run = listProgram('sort_by(.id)');
  const many = Array.from({ length: 25_000 }, (_, id) => ({ id }));
  expect(await run.part(many)).toBe('');
  expect(await run.part(many)).toBe('');
  await expect(run.part(many.slice(0, 1))).rejects.toThrow('needs all rows at once, and there are more than 50,000');
});

it('reports a row that the program fails at', async () => {
  await expect(inParts('.[].name.first', 3)).rejects.toThrow('--jq failed: Cannot index string');
  await expect(inParts('.[] | .name + 1', 3)).rejects.toThrow(
    '--jq failed: string ("N0") and number (1) cannot be added',
  );
});
