import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf, groupsOf, matching } from './entries.ts';

const labels = (text: string, reseller = false) => matching(entriesOf(reseller), text).map(({ label }) => label);

describe('the entries of the palette', () => {
  it('are found by any of their words, the nearest name first', () => {
    expect(labels('export')).toEqual(['Export redeemed serials', 'Export customers', 'Archive everything']);
    expect(labels('dark')).toEqual(['Toggle theme']);
    expect(labels('cust')[0]).toBe('Customers');
    expect(labels('GENERATE')[0]).toBe('Generate serials');
  });

  it('hold what the role can do', () => {
    expect(labels('key', true)).toEqual(['Keyboard shortcuts']);
    expect(labels('webhooks', true)).toEqual(['Webhooks']);
    expect(labels('admin')).toEqual([]);
    expect(matching(entriesOf(true, true), 'admin')).toHaveLength(3);
  });

  it('lead to every screen that has an address of its own', () => {
    const folder = path.join(import.meta.dirname, '../../routes/_app');
    const screens = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // a layout, and a tab of who has not registered yet
      .filter((file) => file.endsWith('.tsx') && !/\$|^products\.tsx$|register\.tsx$|_\w+\.tsx$/.test(file))
      .filter((file) => /^ {2}component:|component: \w+ \}/m.test(readFileSync(path.join(folder, file), 'utf8')))
      .map(
        (file) =>
          `/${file
            .replace(/\.tsx$/, '')
            .replace(/\/_\w+/, '')
            .replaceAll('.', '/')
            .replace(/\/index$/, '')}`,
      );
    const known = [...entriesOf(false, true), ...entriesOf(true)].flatMap(({ does }) =>
      'to' in does ? String(does.to.to) : [],
    );
    expect(screens.length).toBeGreaterThan(25);
    expect(screens.filter((screen) => !known.includes(screen))).toEqual([]);
  });

  it.each([false, true])('are each in a group that has a chip (reseller: %s)', (reseller) => {
    const groups = groupsOf(reseller);
    expect(entriesOf(reseller, true).filter(({ group }) => !groups.includes(group))).toEqual([]);
  });

  it.each([false, true])('have names and second keys of their own (reseller: %s)', (reseller) => {
    const entries = entriesOf(reseller, true);
    const seconds = entries.flatMap(({ g }) => g ?? []);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
    expect(new Set(seconds).size).toBe(seconds.length);
  });
});
