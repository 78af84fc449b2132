import { type BuildCheck, notRun } from './check.ts';

const TESTS = 'packages/plugin/README.md names the test of the core that proves it.';
const HOSTS = 'Try it in hosts of your own, and with pluginval.';
const SCREENS = 'Look at the panel with your texts; packages/plugin/README.md names its tests.';

/** Why a check was left out here; then the advice is how to run it elsewhere. */
export const MORE = 'it needs more than this build';

const row = (check: number, what: string, advice: string): BuildCheck => ({
  check,
  what,
  advice,
  run: () => notRun(MORE),
});

/** Those of the 30 checks that nothing outside of a plugin can run. */
export const notHere: readonly BuildCheck[] = [
  row(2, 'isUnlocked and Gate neither lock nor allocate', TESTS),
  row(3, 'Gate fades without a click, and is open from the start', TESTS),
  row(4, '64 instances in three processes ask once a day', TESTS),
  row(5, 'whatever ends a process while it writes, a license can be read', TESTS),
  row(7, 'two formats in one process lose no write', TESTS),
  row(8, 'a lock that somebody holds does not hold up a start', TESTS),
  row(14, 'an editor is opened and closed 200 times while a request runs', HOSTS),
  row(15, 'it is unloaded while its worker runs', HOSTS),
  row(18, 'a newer JUCE keeps the seat', 'Rebuild with it, and look at the serial’s machines.'),
  row(23, 'the core has no exceptions, type information or static objects', TESTS),
  row(24, 'it builds with every JUCE that you support', 'Build with -DTONEROW_JUCE=… of each.'),
  row(26, 'screen readers and the keyboard reach everything', SCREENS),
  row(27, 'every text can be replaced, and fits', SCREENS),
  row(29, 'an offline license ends and is renewed', 'tonerow license offline makes one: drop it on the panel.'),
];
