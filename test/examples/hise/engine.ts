import { globals } from './members.ts';
import { ScriptParser } from './parser.ts';
import { InlineFunction, Namespace, Scope, type Statement } from './storage.ts';
import { Tokens } from './tokens.ts';
import { type ApiObject, Callable, type Value } from './values.ts';

const MOST_REGISTERS = 32;

/**
 * HISE's script engine, in what a license script needs of it, by the rules of the real one: numbers have types that `===`
 * compares, names are resolved while the script is read, and inline functions have one set of locals. It refuses whatever it
 * does not know.
 */
export class Engine {
  readonly root = new Scope(new Map());
  readonly storage = new Namespace();
  readonly namespaces = new Map<string, Namespace>();
  readonly api: ReadonlyMap<string, ApiObject>;
  readonly #files: Record<string, string>;

  constructor(api: readonly ApiObject[], files: Record<string, string> = {}) {
    this.api = new Map(api.map((each) => [each.name, each]));
    this.#files = files;
    for (const [name, run] of Object.entries(globals)) this.root.variables.set(name, new Global(run));
  }

  /** Reads and runs a script as onInit is. */
  execute(code: string): void {
    this.compile(code)(this.root, { value: undefined });
  }

  /** @throws HiseSyntaxError for what HISE would not compile */
  compile(code: string, file = 'onInit'): Statement {
    this.#declare(code, file);
    return new ScriptParser(this, code, file).script();
  }

  file(name: string): string {
    const code = this.#files[name];
    if (code === undefined) throw new Error(`File ${name} not found`);
    return code;
  }

  /** The names that the script declares outside of its namespaces. */
  topLevelNames(): string[] {
    const { constants, registers, inlineFunctions } = this.storage;
    const variables = [...this.root.variables.keys()].filter((name) => !(name in globals));
    return [...variables, ...constants.keys(), ...registers.keys(), ...inlineFunctions.keys()];
  }

  /** Reads all declarations first: each of them is known everywhere, before the first statement is parsed. */
  #declare(code: string, file: string): void {
    const tokens = new Tokens(code, file);
    let space = this.storage;
    let depth = 0;
    while (tokens.type !== 'end') {
      if (tokens.matchIf('namespace')) {
        if (space !== this.storage) tokens.fail('Nesting of namespaces is not allowed');
        if (this.namespaces.has(tokens.text)) tokens.fail(`Duplicate namespace ${tokens.text}`);
        space = new Namespace();
        this.namespaces.set(tokens.identifier(), space);
      } else if (tokens.matchIf('include')) {
        tokens.match('(');
        this.#declare(this.file(tokens.literal as string), tokens.literal as string);
      } else if (tokens.matchIf('{')) depth += 1;
      else if (tokens.matchIf('}')) {
        depth -= 1;
        if (depth === 0) space = this.storage;
      } else if (tokens.matchIf('inline')) this.#declareInline(tokens, space);
      else if (tokens.matchIf('reg')) {
        space.registers.set(tokens.text, undefined);
        if (space.registers.size > MOST_REGISTERS) tokens.fail('Too many register variables');
      } else if (tokens.matchIf('const')) {
        tokens.matchIf('var');
        if (space === this.storage && depth > 0) tokens.fail('const var declaration must be on global level');
        if (space.constants.has(tokens.text)) tokens.fail(`Duplicate const var declaration: ${tokens.text}`);
        space.constants.set(tokens.text, 'undeclared');
      } else tokens.skip();
    }
  }

  #declareInline(tokens: Tokens, space: Namespace): void {
    tokens.match('function');
    const name = tokens.identifier();
    const parameters: string[] = [];
    tokens.match('(');
    while (tokens.type !== ')') {
      parameters.push(tokens.identifier());
      if (tokens.type !== ')') tokens.match(',');
    }
    space.inlineFunctions.set(name, new InlineFunction(name, parameters, this.root));
  }
}

class Global extends Callable {
  readonly #run: (args: Value[]) => Value;

  constructor(run: (args: Value[]) => Value) {
    super();
    this.#run = run;
  }

  call(args: Value[]): Value {
    return this.#run(args);
  }
}
