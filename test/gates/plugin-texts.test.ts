/** What the licensing API refuses reaches a customer inside a plugin: every status has a text there, in five languages. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type LicenseStatus,
  licenseStatuses,
} from '../../packages/server/src/features/licensing/rules/license-status.ts';

/** Where else the panel has words for a status, or why it needs none. */
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

  // what the core takes for something of the server's own is named there
  const core = readFileSync('packages/plugin/core/tonerow/license.cpp', 'utf8');
  for (const [status, why] of Object.entries(ELSEWHERE))
    if (why.startsWith('a notice')) expect(core).toContain(`reply.status == "${status}"`);
});
