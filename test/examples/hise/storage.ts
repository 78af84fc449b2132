import { Callable, type Value, VOID } from './values.ts';

/** How a statement ended. */
export type Ending = 'on' | 'return';
export type Statement = (scope: Scope, result: { value: Value }) => Ending;

/** Something that has a value, and perhaps a place to put one. */
export interface Expression {
  get: (scope: Scope) => Value;
  set?: (scope: Scope, value: Value) => void;
  /** A call looks at `object.name`. */
  member?: { object: Expression; name: string };
  /** A name that nothing declares yet. */
  unqualified?: string;
}

/** The variables of a function that runs. Behind it is who called it: HISE's names are looked up by call, not by text. */
export class Scope {
  readonly variables: Map<string, Value>;
  readonly caller: Scope | undefined;

  constructor(variables: Map<string, Value>, caller?: Scope) {
    this.variables = variables;
    this.caller = caller;
  }

  find(name: string): Map<string, Value> | undefined {
    return this.variables.has(name) ? this.variables : this.caller?.find(name);
  }
}

/** Names that are known before the script is parsed; HISE allows one level of namespaces. */
export class Namespace {
  readonly constants = new Map<string, Value>();
  readonly registers = new Map<string, Value>();
  readonly inlineFunctions = new Map<string, InlineFunction>();
}

/** An ordinary `function`: its variables live as long as a call. */
export class OrdinaryFunction extends Callable {
  readonly parameters: string[] = [];
  readonly #root: Scope;
  body: Statement = () => 'on';

  constructor(root: Scope) {
    super();
    this.#root = root;
  }

  call(args: Value[], caller = this.#root): Value {
    const variables = new Map<string, Value>([['this', undefined]]);
    for (const [index, name] of this.parameters.entries()) variables.set(name, args[index]);
    const result: { value: Value } = { value: VOID };
    this.body(new Scope(variables, caller), result);
    return result.value;
  }
}

/**
 * An `inline function`: it has its locals and its arguments once, not once for each call. One that is called while it
 * runs, or while the arguments of a call to it are made, loses them.
 */
export class InlineFunction extends Callable {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly locals = new Map<string, Value>();
  readonly #root: Scope;
  body: Statement = () => 'on';
  #current: { args: Value[] } | undefined;

  constructor(name: string, parameters: readonly string[], root: Scope) {
    super();
    this.name = name;
    this.parameters = parameters;
    this.#root = root;
  }

  argument(index: number): Value {
    if (!this.#current) throw new Error(`Accessing parameter reference outside the function call: ${this.name}`);
    return this.#current.args[index];
  }

  call(args: Value[]): Value {
    return this.invoke(this.#root, () => args);
  }

  /** @param make the arguments, once this is the call that the function knows of. */
  invoke(scope: Scope, make: () => Value[]): Value {
    const current: { args: Value[] } = { args: [] };
    this.#current = current;
    current.args = make();
    const result: { value: Value } = { value: VOID };
    const ending = this.body(scope, result);
    if (this.#current === current) {
      this.#current = undefined;
      for (const name of this.locals.keys()) this.locals.set(name, VOID);
    }
    return ending === 'return' ? result.value : undefined;
  }
}
