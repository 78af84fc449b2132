/** Values as HISE's script engine has them: JUCE's `var`, with its own idea of numbers, truth and text. */

export type NumberType = 'int' | 'int64' | 'double';

/** A number knows its type, because `===` compares that too. */
export class HiseNumber {
  readonly type: NumberType;
  readonly value: number;

  constructor(type: NumberType, value: number) {
    this.type = type;
    this.value = value;
  }
}

/** JUCE's `var()`: what a property that was never set is in C++. Not the same as undefined. */
export const VOID = Symbol('void');

export class HiseObject {
  readonly properties = new Map<string, Value>();
}

/** An object or a class of HISE's API. The methods' number of parameters is checked at each call. */
export class ApiObject {
  readonly name: string;
  readonly methods: Record<string, (...args: never[]) => unknown>;
  readonly constants: Record<string, Value>;

  constructor(name: string, methods: ApiObject['methods'], constants: Record<string, Value> = {}) {
    this.name = name;
    this.methods = methods;
    this.constants = constants;
  }
}

/** Something with a body; `engine.ts` has the two kinds. */
export abstract class Callable {
  abstract call(args: Value[]): Value;
}

export type Value =
  | HiseNumber
  | string
  | boolean
  | undefined
  | typeof VOID
  | HiseObject
  | Value[]
  | ApiObject
  | Callable;

export const int = (value: number) => new HiseNumber('int', value);
export const int64 = (value: number) => new HiseNumber('int64', value);
export const double = (value: number) => new HiseNumber('double', value);

/** `undefined` counts as the number 0; void does not. */
export function isNumeric(value: Value): boolean {
  return value === undefined || typeof value === 'boolean' || value instanceof HiseNumber;
}

export function numberOf(value: Value): number {
  if (value instanceof HiseNumber) return value.value;
  if (typeof value === 'string') return Number.parseInt(value, 10) || 0;
  return value === true ? 1 : 0;
}

/** A text is only true when it begins with a number that is not 0, or is "true" or "yes". */
export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return numberOf(value) !== 0 || /^\s*(true|yes)\s*$/i.test(value);
  if (isNumeric(value)) return numberOf(value) !== 0;
  return value !== VOID;
}

export function textOf(value: Value): string {
  if (value instanceof HiseNumber) return String(value.value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value === undefined) return 'undefined';
  if (value === VOID) return '';
  return typeof value === 'string' ? value : `${Array.isArray(value) ? 'Array' : 'Object 0x600000c0'}`;
}

export function typeOf(value: Value): string {
  if (value instanceof HiseNumber) return value.type;
  return value === VOID ? 'void' : Array.isArray(value) ? 'array' : typeof value;
}

/** Converts a value from outside. A whole number is an int while it fits into 32 bits. */
export function toScript(value: unknown): Value {
  if (value === null) return VOID;
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return double(value);
    return Math.abs(value) < 2 ** 31 ? int(value) : int64(value);
  }
  if (Array.isArray(value)) return value.map(toScript);
  if (isPlain(value)) {
    const object = new HiseObject();
    for (const [name, each] of Object.entries(value)) object.properties.set(name, toScript(each));
    return object;
  }
  return value as Value;
}

/** The same as JavaScript knows it, for JSON and for the tests. */
export function fromScript(value: Value): unknown {
  if (value instanceof HiseNumber) return value.value;
  if (value === VOID) return null;
  if (Array.isArray(value)) return value.map(fromScript);
  if (!(value instanceof HiseObject)) return value;
  return Object.fromEntries([...value.properties].map(([name, each]) => [name, fromScript(each)]));
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
