import { globSync, readFileSync } from 'node:fs';
import { isolated, quiet } from '@tonerow/test-support/isolated.ts';
import { leftBehind } from '@tonerow/test-support/left-behind.ts';
import { describe, expect, it } from 'vitest';
import { testGlobs } from '../../scripts/lib/kinds.ts';

/** Changes that last for as long as a worker runs, in files that are not tests. */
const FOR_GOOD: Record<string, string[]> = {
  // every statement of every server is held to the tenant rules
  'test/support/tenant-gate.ts': ['pg.Client.prototype.query'],
  // the browser's package reads it while it is imported
  'test/support/browser.ts': ['process.env.AWS_LAMBDA_JS_RUNTIME'],
};

const tests = globSync(testGlobs);
const helpers = globSync('test/**/*.ts', { exclude: ['test/**/*.test.ts', 'test/packages/project/**'] });
const found = new Map(
  [...tests, ...helpers].map((file) => [file.replaceAll('\\', '/'), leftBehind(readFileSync(file, 'utf8'), file)]),
);

describe('a worker runs many files', () => {
  it('to which none leaves what it changed, but those that run in a process of their own', () => {
    expect(tests.length).toBeGreaterThan(300);
    const offenders = [...found]
      .filter(([file]) => !isolated.includes(file))
      .map(([file, left]) => [file, left.filter((each) => !FOR_GOOD[file]?.includes(each))] as const)
      .filter(([, left]) => left.length > 0);
    expect(offenders).toEqual([]);
  });

  it('and no file is apart, and nothing stays, without need', () => {
    expect(isolated.filter((file) => !found.get(file)?.length)).toEqual([]);
    const stale = Object.entries(FOR_GOOD).flatMap(([file, list]) =>
      list.filter((each) => !found.get(file)?.includes(each)).map((each) => `${file}: ${each}`),
    );
    expect(stale).toEqual([]);
    expect([...isolated, ...quiet].filter((file) => !found.has(file))).toEqual([]);
    expect(isolated.filter((file) => quiet.includes(file))).toEqual([]);
  });
});

describe('what a file leaves behind', () => {
  it.each([
    ['a global', "vi.stubGlobal('localStorage', {});", 'vi.stubGlobal'],
    ['a spy', "const find = vi.spyOn(PluginKeys.prototype, 'find');", 'vi.spyOn'],
    [
      'a spy that only a passed test restores',
      "it('x', () => { const s = vi.spyOn(A, 'b'); s.mockRestore(); });",
      'vi.spyOn',
    ],
    ['a clock', 'beforeEach(() => { vi.useFakeTimers(); });', 'vi.useFakeTimers'],
    ['one that is put back', 'try { vi.useFakeTimers(); } finally { vi.useRealTimers(); }', 'vi.useFakeTimers'],
    ['a setting', "process.env.TZ = 'Asia/Tokyo';", 'process.env.TZ'],
    ['a setting by its name', 'process.env[name] = value;', 'process.env[name]'],
    ['a setting that is gone', 'delete process.env.HOME;', 'process.env.HOME'],
    ['another setting than it restores', 'process.env.A = x; afterAll(() => { process.env.B = x; });', 'process.env.A'],
    ['a listener', "process.on('exit', () => clean());", 'process.on'],
    ['a parser of types', 'pg.types.setTypeParser(20, Number);', 'pg.types.setTypeParser'],
    ['a method', 'Events.prototype.subscribe = () => undefined;', 'Events.prototype.subscribe'],
    ['a module in place of another', "vi.mock('./x.ts');", 'vi.mock'],
  ])('is found: %s', (_what, source, left) => {
    expect(leftBehind(source)).toEqual([left]);
  });

  it.each([
    "beforeEach(() => vi.stubGlobal('x', 1)); afterEach(() => vi.unstubAllGlobals());",
    "const find = vi.spyOn(A.prototype, 'b'); afterAll(() => find.mockRestore());",
    "it('x', () => { const s = vi.spyOn(A, 'b'); onTestFinished(() => s.mockRestore()); });",
    "it('x', () => { using s = vi.spyOn(A, 'b'); });",
    'const kept = process.env.TZ; process.env.TZ = zone; const it = { async end() { process.env.TZ = kept; } };',
    "const script = 'globalThis.verify = 1; process.env.A = 2';",
    'client.setTypeParser(20, Number); const env = { ...process.env, A: 1 };',
  ])('is nothing: %s', (source) => {
    expect(leftBehind(source)).toEqual([]);
  });
});
