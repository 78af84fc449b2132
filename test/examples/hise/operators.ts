import {
  ApiObject,
  Callable,
  double,
  HiseNumber,
  HiseObject,
  int64,
  isNumeric,
  isTrue,
  numberOf,
  textOf,
  typeOf,
  type Value,
  VOID,
} from './values.ts';

type Operation = { numbers?: (a: number, b: number) => number | boolean; texts?: (a: string, b: string) => Value };

const operations: Record<string, Operation> = {
  '==': { numbers: (a, b) => a === b, texts: (a, b) => a === b },
  '!=': { numbers: (a, b) => a !== b, texts: (a, b) => a !== b },
  '<': { numbers: (a, b) => a < b, texts: (a, b) => a < b },
  '<=': { numbers: (a, b) => a <= b, texts: (a, b) => a <= b },
  '>': { numbers: (a, b) => a > b, texts: (a, b) => a > b },
  '>=': { numbers: (a, b) => a >= b, texts: (a, b) => a >= b },
  '+': { numbers: (a, b) => a + b, texts: (a, b) => a + b },
  '-': { numbers: (a, b) => a - b },
  '*': { numbers: (a, b) => a * b },
  '/': { numbers: (a, b) => a / b },
  '%': { numbers: (a, b) => a % b },
};

/** Both sides are there already: in HISE only `&&` and `||` leave one out. */
export function operate(operator: string, a: Value, b: Value): Value {
  if (operator === '===') return isSameType(a, b);
  if (operator === '!==') return !isSameType(a, b);
  const { numbers, texts } = operations[operator] as Operation;
  if (isNumeric(a) && isNumeric(b)) {
    if (!numbers) throw new Error(`${operator} is not allowed on the Integer type`);
    const result = numbers(numberOf(a), numberOf(b));
    if (typeof result === 'boolean') return result;
    return operator === '/' || isDouble(a) || isDouble(b) ? double(result) : int64(result);
  }
  if (isNothing(a) && isNothing(b)) return operator === '==';
  if (isObject(a)) {
    if (operator === '==') return a === b;
    if (operator === '!=') return a !== b;
    throw new Error(`${operator} is not allowed on the Object type`);
  }
  if (!texts) throw new Error(`${operator} is not allowed on the String type`);
  return texts(textOf(a), textOf(b));
}

/** `!x` is `0 == x`: of a text, of an object and of void it is false. */
export function not(value: Value): Value {
  return operate('==', int64(0), value);
}

export { isTrue };

/** HISE's `===`: values of different types are never equal, not even an int and an int64. */
function isSameType(a: Value, b: Value): boolean {
  if (isNothing(a) && isNothing(b)) return true;
  if (typeOf(a) !== typeOf(b)) return false;
  return a instanceof HiseNumber ? a.value === (b as HiseNumber).value : a === b;
}

function isNothing(value: Value): boolean {
  return value === undefined || value === VOID;
}

function isDouble(value: Value): boolean {
  return value instanceof HiseNumber && value.type === 'double';
}

function isObject(value: Value): boolean {
  return value instanceof HiseObject || value instanceof ApiObject || value instanceof Callable || Array.isArray(value);
}
