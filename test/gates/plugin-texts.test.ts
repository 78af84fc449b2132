/**
 * A refusal by the licensing API reaches a customer inside a plugin, so every status has a text there, in five
 * languages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type LicenseStatus,
  licenseStatuses,
} from '../../packages/server/src/features/licensing/rules/license-status.ts';
import { HISE_TEXTS, hiseTexts, hiseTextsFile } from '../../scripts/plugin/hise-texts.ts';
import { Engine } from '../examples/hise/engine.ts';
import { HiseObject } from '../examples/hise/values.ts';

const CORE = 'packages/plugin/core/tonerow';
/** The license of the core, which is in several files. */
const core = readdirSync(CORE)
  .filter((name) => /^license.*\.cpp$/.test(name))
  .map((name) => readFileSync(`${CORE}/${name}`, 'utf8'))
  .join('');

/** The other places where the panel has words for a status, or the reason why it needs none. */
const ELSEWHERE = {
  active: 'not a refusal',
  deactivated: 'not a refusal',
  trial: 'not a refusal',
  code_sent: 'not a refusal',
  seats: 'not a refusal',
  pending: 'the core goes on waiting',
  slow_down: 'the core goes on waiting',
  seat_limit: 'a screen of its own',
  unauthorized: 'a notice of the core: unknownPlugin',
  rate_limited: 'a notice of the core: busyServer',
  server_error: 'a notice of the core: busyServer',
  unavailable: 'a notice of the core: busyServer',
} satisfies Partial<Record<LicenseStatus, string>>;

test('every refusal has a text on the panel of plugins', () => {
  const strings = readFileSync('packages/plugin/tonerow_juce/panel/Strings.cpp', 'utf8');
  const table = strings.slice(strings.indexOf('constexpr Refusal refusals[]'));
  const known = [...table.slice(0, table.indexOf(';')).matchAll(/\{ "(\w+)", &StringFields::refused/g)].map(
    (each) => each[1],
  );
  expect([...known, ...Object.keys(ELSEWHERE)].sort()).toEqual(Object.keys(licenseStatuses).sort());

  // statuses that the core takes for something of the server's own are named there
  for (const [status, why] of Object.entries(ELSEWHERE))
    if (why.startsWith('a notice')) expect(core).toContain(`reply.status == "${status}"`);
});

test('the form for HISE has the panel’s texts, and shows each of them', () => {
  // npm run gen
  expect(readFileSync(HISE_TEXTS, 'utf8')).toBe(hiseTextsFile());
  const { texts, refusals } = hiseTexts();
  const names = Object.keys(texts.en).sort();
  for (const all of Object.values(texts)) expect(Object.keys(all).sort()).toEqual(names);

  const panel = readFileSync('packages/plugin/hise/TonerowPanel.js', 'utf8');
  const bridge = readFileSync('packages/plugin/hise/HiseBridge.h', 'utf8');
  const shown = new Set(Object.values(refusals));
  // the statuses that the node names
  for (const [, word = ''] of bridge.matchAll(/return "(\w+)"/g)) shown.add(word);
  for (const name of screensOf(panel)) for (const part of ['Title', 'Body']) shown.add(name + part);
  for (const [, word = ''] of panel.matchAll(/'(\w+)'/g)) shown.add(word);
  for (const word of ['months', 'date']) if (panel.includes(`table.${word}`)) shown.add(word);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  for (const name of Object.values(refusals)) expect(names).toContain(name);
});

test('the form for HISE has words for every refusal and every notice of the core', () => {
  const { texts, refusals } = hiseTexts();
  expect([...Object.keys(refusals), ...Object.keys(ELSEWHERE)].sort()).toEqual(Object.keys(licenseStatuses).sort());
  const panel = readFileSync('packages/plugin/hise/TonerowPanel.js', 'utf8');
  const words = objectIn(panel, 'tonerowPanelNotices');
  const names = core.slice(core.indexOf('const char* nameOf (Notice'));
  const notices = [...names.slice(0, names.indexOf('\n}')).matchAll(/return "(\w+)"/g)].map(
    (each) => each[1] as string,
  );
  expect(notices.length).toBeGreaterThan(10);
  // the first two are nothing to show, and a refusal is shown by its status
  const others = notices.filter((each) => !['none', 'canceled', 'refused'].includes(each));
  expect([...others, 'missing'].sort()).toEqual([...words.keys()].sort());
  for (const name of words.values()) expect(texts.en).toHaveProperty(name);
});

/** An object of the script, as HISE reads it. */
function objectIn(panel: string, name: string): Map<string, string> {
  const from = panel.indexOf(`const var ${name} = `);
  const engine = new Engine([]);
  engine.execute(panel.slice(from, panel.indexOf(';', from) + 1));
  const found = engine.storage.constants.get(name);
  if (!(found instanceof HiseObject)) throw new Error(`no ${name}`);
  return found.properties as Map<string, string>;
}
const screensOf = (panel: string) => objectIn(panel, 'tonerowPanelScreens').values();
