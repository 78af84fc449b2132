import { expect, it } from 'vitest';
import { commandFirst } from './leading-options.ts';

it.each([
  ['--profile default whoami', 'whoami --profile default'],
  ['--profile=work --quiet products list --all', 'products list --all --profile=work --quiet'],
  ['--json id,name -t {{.}} products list', 'products list --json id,name -t {{.}}'],
  ['--json products list', 'products list --json'],
  ['--url http://x search -- --all', 'search --url http://x -- --all'],
  ['products list --json id', 'products list --json id'],
  ['--help', '--help'],
  ['--profile', '--profile'],
  ['--all --json products list', '--all --json products list'],
])('%s is read as %s', (typed, read) => {
  expect(commandFirst(typed.split(' ')).join(' ')).toBe(read);
});
