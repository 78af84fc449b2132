import { describe, expect, it } from 'vitest';
import { Engine } from './hise/engine.ts';
import { ApiObject, fromScript, int, int64, toScript, type Value, VOID } from './hise/values.ts';

/** A script with what the server and HISE give it: `Test.status` is an int, `Test.time` an int64, `Test.text` a text. */
function run(script: string): unknown {
  let answer: unknown;
  const test = new ApiObject(
    'Test',
    {
      answer: (value: Value) => {
        answer = fromScript(value);
      },
      call: (callback: Value) => (callback as unknown as { call(args: Value[]): Value }).call([int(200)]),
    },
    { status: int(200), time: int64(1_774_267_200_000), text: 'abc', never: VOID, answer: toScript({ ok: true }) },
  );
  new Engine([test]).execute(script);
  return answer;
}
const value = (expression: string) => run(`Test.answer(${expression});`);
const inline = (body: string) => run(`inline function f(a, b) { ${body} } Test.answer(f(1, 2));`);

describe('the stand-in for HISE’s script engine obeys its rules', () => {
  it.each([
    ['Test.status === 200', false],
    ['Test.status !== 200', true],
    ['Test.status == 200', true],
    ['Test.text.length === 3', false],
    ['Test.text.length == 3', true],
    ['Test.text.indexOf("b") === 1', false],
    ['Test.time === 1774267200000', true],
    ['200 === 200', true],
    ['200.0 === 200', false],
    ['Test.answer.ok === true', false],
    ['Test.answer.ok == true', true],
    ['"a" === "a"', true],
  ])('=== compares types: %s is %s', (expression, expected) => expect(value(expression)).toBe(expected));

  it.each([
    ['!0', true],
    ['!""', false],
    ['!Test.never', false],
    ['!Test.answer.nothing', false],
    ['"text" ? 1 : 0', 0],
    ['"1" ? 1 : 0', 1],
    ['1 || 1 && 0', false],
    ['5 && 7', true],
    ['Test.answer.nothing == 0', false],
    ['undefined == 0', true],
    ['Test.text.substring(1)', ''],
  ])('truth is its own: %s is %s', (expression, expected) => expect(value(expression)).toBe(expected));

  it.each([
    'let a = 1;',
    'var f = () => 1;',
    'var a = `text`;',
    'var a = b?.c;',
    'var a = b ?? c;',
    'var [a, b] = c;',
    'var a = [...b];',
    'var f = function(a = 1) {};',
    'var a = /x/;',
    'var a = new Object();',
    'try { a(); } catch (e) {}',
    'class A {}',
    'for (const a of b) {}',
    'async function f() {}',
    'inline function f() { var a = 1; }',
    'inline function f(a) { return function() { return a; }; }',
    'inline function f() { inline function g() {} }',
    'function f() { const a = 1; }',
    'local a = 1;',
    'namespace A { namespace B { } }',
    'inline function f(a) {} f(1, 2);',
    'const var a = 1; const var a = 2;',
    'const var a = 1; function f() { var a = 2; }',
    'reg a = 1; namespace N { const var a = 2; }',
    `${Array.from({ length: 33 }, (_, index) => `reg r${index} = 0;`).join('')}`,
  ])('refuses %s', (script) => expect(() => run(script)).toThrow(/line 1: /));

  it.each(['Test.answer(undefined);', 'Test.answer(Test.never);', 'Test.answer(1, 2);', 'Test.nothing();', 'a = 1;'])(
    'stops at %s',
    (script) => expect(() => run(script)).toThrow(),
  );

  it('an inline function has its arguments once: a call in its own arguments loses them', () => {
    expect(inline('local c = a + b; return c;')).toBe(3);
    expect(() => run('inline function f(a) { return a; } Test.answer(f(f(1)));')).toThrow('outside the function call');
    const twice = 'inline function g(a) { return f(a); } inline function f(a) { return a; }';
    expect(() => run(`${twice} Test.answer(f(g(1)));`)).toThrow('outside the function call');
  });

  it('a declared name hides the argument of an ordinary function, and no argument of an inline one', () => {
    const ordinary = 'Test.call(function(status) { Test.answer(status); });';
    expect(run(ordinary)).toBe(200);
    expect(run(`${ordinary} const var status = 1;`)).toBe('undeclared');
    expect(run('const var a = 5; inline function f(a) { return a; } Test.answer(f(1));')).toBe(1);
  });

  it('a var at top level, and a function anywhere, is everybody’s', () => {
    expect(run('function f() { return a; } var a = 1; Test.answer(f());')).toBe(1);
    const engine = new Engine([]);
    engine.execute('namespace N { function f() {} var a = 1; const var b = 2; }');
    expect(engine.topLevelNames().sort()).toEqual(['a', 'f']);
  });
});
