import {
  ApiObject,
  HiseNumber,
  HiseObject,
  int,
  int64,
  numberOf,
  textOf,
  toScript,
  type Value,
  VOID,
} from './values.ts';

/** The methods of HISE's strings. An end that is left out is 0. */
const textMethods: Record<string, (text: string, args: Value[]) => unknown> = {
  contains: (text, [part]) => text.includes(textOf(part)),
  indexOf: (text, [part]) => text.indexOf(textOf(part)),
  lastIndexOf: (text, [part]) => text.lastIndexOf(textOf(part)),
  parseAsJSON: (text) => parseJson(text),
  replace: (text, [part, by]) => text.replaceAll(textOf(part), textOf(by)),
  split: (text, [at]) => (text === '' ? [] : text.split(textOf(at)[0] as string)),
  substring: (text, [from, to]) => text.slice(Math.max(0, numberOf(from)), Math.max(numberOf(from), numberOf(to))),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
};

/** The value of `object.name`; undefined for what has no such thing. */
export function member(object: Value, name: string): Value {
  if (name === 'length' && (typeof object === 'string' || Array.isArray(object))) return int(object.length);
  if (object instanceof HiseObject) return object.properties.has(name) ? object.properties.get(name) : VOID;
  return object instanceof ApiObject ? object.constants[name] : undefined;
}

/** `object.name(…)`, where the object is HISE's own. */
export function callMember(object: Value, name: string, args: Value[]): Value {
  if (object instanceof ApiObject) return callApi(object, name, args);
  if (Array.isArray(object) && name === 'push') return int(object.push(...args));
  const method = typeof object === 'string' && textMethods[name];
  if (!method) throw new Error(`Unknown function '${name}'`);
  return toScript(method(object as string, args));
}

function callApi(object: ApiObject, name: string, args: Value[]): Value {
  const method = object.methods[name];
  if (!method) throw new Error(`Function / constant not found: ${object.name}.${name}`);
  if (method.length !== args.length) {
    throw new Error(`Call to ${object.name}.${name}(): ${args.length} arguments (Expected: ${method.length})`);
  }
  const missing = args.findIndex((each) => each === undefined || each === VOID);
  if (missing >= 0) throw new Error(`API call with undefined parameter ${missing}: ${object.name}.${name}`);
  return toScript((method as (...all: Value[]) => unknown)(...args));
}

/** JSON::parse: nothing for what is no JSON, and what is left of a broken text is not looked at. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return VOID;
  }
}

/** The functions that are everybody's. */
export const globals: Record<string, (args: Value[]) => Value> = {
  parseInt: ([text]) => {
    if (text instanceof HiseNumber && text.type === 'double') return int(Math.trunc(text.value));
    const digits = textOf(text).trim();
    const base = /^0x/.test(digits) ? 16 : digits.startsWith('0') ? 8 : 10;
    return int64(Number.parseInt(base === 16 ? digits.slice(2) : digits, base) || 0);
  },
};
