import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { commands } from '#commands/index.ts';
import { UsageError } from '#exit.ts';
import { defineCommand } from './define-command.ts';
import { amount, choice, choices, flag, number, onOff, required, text, texts } from './option-types.ts';
import { EVERYWHERE, nameOf, optionsOf, parseOptions } from './options.ts';

const options = {
  search: text('<text>', ''),
  range: text('<range>', '', { fallback: 'all' }),
  limit: number('<n>', '', { fallback: '100' }),
  seats: number('<n>', ''),
  price: amount('<amount>', ''),
  format: choice('<format>', '', { values: ['csv', 'ndjson'], fallback: 'csv' }),
  active: onOff(''),
  scopes: choices('<scope>', '', ['read', 'write']),
  files: texts('<file>', ''),
  dryRun: flag(''),
  machine: required(text('<id>', ''), 'Say which machine.'),
};
const command = defineCommand({
  path: 'things make',
  summary: '',
  operations: [],
  args: [
    ['<name>', ''],
    ['[label]', ''],
    ['<more...>', ''],
  ],
  options,
  examples: [],
  async run({ args, options: given }) {
    expectTypeOf(args).toEqualTypeOf<[string, string?, ...string[]]>();
    expectTypeOf(given).toEqualTypeOf<{
      search: string | undefined;
      range: string;
      limit: number;
      seats: number | undefined;
      price: number | null | undefined;
      format: 'csv' | 'ndjson';
      active: boolean | undefined;
      scopes: ('read' | 'write')[];
      files: string[];
      dryRun: boolean;
      machine: string;
    }>();
    // @ts-expect-error: an option that was not declared
    expect(given.other).toBeUndefined();
  },
});
const parse = (given: Record<string, unknown>) =>
  parseOptions(command, { range: 'all', limit: '100', format: 'csv', machine: 'm', ...given });

describe('the options of a command', () => {
  it('are what they were declared to be', () => {
    expect(parse({})).toEqual({
      search: undefined,
      range: 'all',
      limit: 100,
      seats: undefined,
      price: undefined,
      format: 'csv',
      active: undefined,
      scopes: [],
      files: [],
      dryRun: false,
      machine: 'm',
    });
    expect(
      parse({ seats: '3', price: 'none', active: 'off', scopes: ['read'], files: ['a', 'b'], dryRun: true }),
    ).toMatchObject({ seats: 3, price: null, active: false, scopes: ['read'], files: ['a', 'b'], dryRun: true });
    expect(parse({ price: '.5' })).toMatchObject({ price: 0.5 });
  });

  it.each([
    [{ seats: '' }, '--seats takes a whole number, not "".'],
    [{ seats: '1.5' }, '--seats takes a whole number, not "1.5".'],
    [{ price: '1e3' }, '--price takes an amount such as 49.99, or "none".'],
    [{ format: 'xml' }, '--format takes csv or ndjson.'],
    [{ active: 'yes' }, '--active takes on or off.'],
    [{ scopes: ['read', 'all'] }, '--scopes takes read or write.'],
    [{ machine: undefined }, 'Say which machine.'],
    [{ machine: '' }, 'Say which machine.'],
  ])('are refused before anything is sent: %j', (given, message) => {
    expect(() => parse(given)).toThrow(new UsageError(message));
  });

  it('get to the command with the types they have', async () => {
    await command.run({} as never, ['a'], parse({}));
  });
});

describe('the options that every command has', () => {
  it.each(['url', 'profile', 'json', 'noInput', 'help', 'force', 'idempotencyKey'])(
    'cannot be declared as its own: %s',
    (name) => {
      const declare = () =>
        defineCommand({
          path: 'things move',
          summary: '',
          operations: [],
          once: true,
          options: { [name]: text('<text>', ''), out: text('<file>', '') },
          examples: [],
          run: async () => undefined,
        });
      expect(declare).toThrow(/"things move" declares --[a-z-]+, which it has already/);
    },
  );

  it('mean the same in all of them, but for the color of a brand', () => {
    const shared = EVERYWHERE.map(({ flags }) => nameOf(flags));
    const taken = commands.flatMap((each) => {
      const own = optionsOf(each).filter((option) => !EVERYWHERE.includes(option));
      return own
        .map(({ flags }) => nameOf(flags))
        .filter((name) => shared.includes(name))
        .map((name) => `${each.path} ${name}`);
    });
    expect(taken).toEqual(['branding set --color']);
  });
});

describe('the folders of commands', () => {
  const folder = path.join(import.meta.dirname, '../commands');
  const nouns = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it('are their nouns, with a file for each command', () => {
    const missing = commands.filter(({ path: words }) => {
      const places = [`${words.replace(' ', '/')}.ts`, `session/${words}.ts`];
      return !places.some((place) => existsSync(path.join(folder, place)));
    });
    expect(missing.map((each) => each.path)).toEqual([]);
    expect(nouns.length).toBeGreaterThan(10);
    for (const { name } of nouns) expect(existsSync(path.join(folder, name, 'index.ts')), name).toBe(true);
  });

  it('include no command that nobody can run', () => {
    const listed = new Set(commands.map((each) => each.path));
    const defined = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const lost = defined.filter((file) => {
      const words = file
        .replace(/\.ts$/, '')
        .replace(/^session\//, '')
        .split(path.sep)
        .join(' ');
      return (
        /^export const \w+ = defineCommand\(/m.test(readFileSync(path.join(folder, file), 'utf8')) && !listed.has(words)
      );
    });
    expect(lost).toEqual([]);
  });
});
