import { callMember, member } from './members.ts';
import { isTrue, not, operate } from './operators.ts';
import { type Expression, type InlineFunction, type Namespace, OrdinaryFunction, type Scope } from './storage.ts';
import { Tokens } from './tokens.ts';
import { type ApiObject, Callable, HiseObject, int, int64, numberOf, textOf, type Value, VOID } from './values.ts';

const COMPARISONS = ['==', '!=', '===', '!==', '<', '<=', '>', '>='];

/** The space that a script is read into: known names, and files that it includes. */
interface Space {
  readonly root: Scope;
  readonly storage: Namespace;
  readonly namespaces: ReadonlyMap<string, Namespace>;
  readonly api: ReadonlyMap<string, ApiObject>;
  file(name: string): string;
}

/** Reads expressions, and finds out at once what each name in them is: HISE does that before anything runs. */
export abstract class ExpressionParser extends Tokens {
  protected readonly engine: Space;
  /** The namespace whose names are known without its own. */
  protected namespace: { name: string; storage: Namespace } | undefined;
  protected inlineFunction: InlineFunction | undefined;
  /** Around an anonymous function. */
  protected outerInlineFunction: InlineFunction | undefined;

  constructor(engine: Space, code: string, file: string) {
    super(code, file);
    this.engine = engine;
  }

  protected abstract functionBody(made: OrdinaryFunction): void;

  expression(): Expression {
    const left = this.#logic();
    if (this.matchIf('?')) return this.#choice(left);
    if (this.matchIf('=')) return this.#assignment(left, this.expression());
    for (const operator of ['+', '-', '*', '/', '%']) {
      if (this.matchIf(`${operator}=`)) return this.#assignment(left, this.#binary(operator, left, this.expression()));
    }
    return left;
  }

  #choice(condition: Expression): Expression {
    const yes = this.expression();
    this.match(':');
    const no = this.expression();
    return { get: (scope) => (isTrue(condition.get(scope)) ? yes : no).get(scope) };
  }

  #assignment(target: Expression, source: Expression): Expression {
    const put = this.#settable(target);
    return {
      get: (scope) => {
        const value = source.get(scope);
        put(scope, value);
        return value;
      },
    };
  }

  #settable(target: Expression): (scope: Scope, value: Value) => void {
    if (target.set) return target.set;
    if (target.unqualified === undefined) this.fail("Can't assign to this expression!");
    const name = target.unqualified;
    return (scope, value) => {
      const variables = scope.find(name) ?? this.engine.root.find(name);
      if (!variables) throw new Error(`Unqualified assignments are not supported anymore: ${name}`);
      variables.set(name, value);
    };
  }

  /** `&&` and `||` bind alike, from the left, and answer a boolean. */
  #logic(): Expression {
    let left = this.#comparison();
    for (;;) {
      const first = left;
      if (this.matchIf('&&')) {
        const second = this.#comparison();
        left = { get: (scope) => isTrue(first.get(scope)) && isTrue(second.get(scope)) };
      } else if (this.matchIf('||')) {
        const second = this.#comparison();
        left = { get: (scope) => isTrue(first.get(scope)) || isTrue(second.get(scope)) };
      } else return left;
    }
  }

  #comparison(): Expression {
    return this.#chain(COMPARISONS, () => this.#sum());
  }

  #sum(): Expression {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/', '%'], () => this.#unary()));
  }

  #chain(operators: string[], next: () => Expression): Expression {
    let left = next();
    for (;;) {
      const { type } = this;
      if (!operators.includes(type)) return left;
      this.skip();
      left = this.#binary(type, left, next());
    }
  }

  #binary(operator: string, a: Expression, b: Expression): Expression {
    return {
      get: (scope) => {
        const left = a.get(scope);
        return operate(operator, left, b.get(scope));
      },
    };
  }

  #unary(): Expression {
    if (this.matchIf('-')) return this.#binary('-', { get: () => int(0) }, this.#unary());
    if (this.matchIf('!')) {
      const of = this.#unary();
      return { get: (scope) => not(of.get(scope)) };
    }
    return this.factor();
  }

  protected factor(within?: Namespace): Expression {
    if (this.type === 'identifier') return this.#named(within);
    return this.#suffixes(this.#unnamed());
  }

  #unnamed(): Expression {
    if (this.matchIf('(')) {
      const inside = this.expression();
      this.match(')');
      return inside;
    }
    // numbers, and not even of the type that a literal has
    if (this.matchIf('true')) return constant(int(1));
    if (this.matchIf('false')) return constant(int(0));
    if (this.matchIf('null')) return constant(VOID);
    if (this.matchIf('undefined')) return constant(undefined);
    if (this.type === 'literal') {
      const { literal } = this;
      this.skip();
      return constant(literal);
    }
    if (this.matchIf('{')) return this.#object();
    if (this.matchIf('[')) {
      const items = this.#list(']');
      return { get: (scope) => items.map((each) => each.get(scope)) };
    }
    if (this.matchIf('function')) return constant(this.#anonymous());
    if (this.matchIf('isDefined')) {
      this.match('(');
      const tested = this.expression();
      this.match(')');
      return { get: (scope) => ![undefined, VOID].includes(tested.get(scope) as undefined) };
    }
    this.fail(`Found ${this.type} when expecting an expression`);
  }

  #object(): Expression {
    const fields: [string, Expression][] = [];
    while (this.type !== '}') {
      const name = this.type === 'literal' ? textOf(this.literal) : this.text;
      this.match(this.type === 'literal' ? 'literal' : 'identifier');
      this.match(':');
      fields.push([name, this.expression()]);
      if (this.type !== '}') this.match(',');
    }
    this.match('}');
    return {
      get: (scope) => {
        const made = new HiseObject();
        for (const [name, value] of fields) made.properties.set(name, value.get(scope));
        return made;
      },
    };
  }

  #anonymous(): OrdinaryFunction {
    if (this.type === 'identifier') this.fail('Inline functions definitions cannot have a name');
    const made = new OrdinaryFunction(this.engine.root);
    this.functionBody(made);
    return made;
  }

  #list(end: string): Expression[] {
    const items: Expression[] = [];
    while (this.type !== end) {
      items.push(this.expression());
      if (this.type !== end) this.match(',');
    }
    this.match(end);
    return items;
  }

  /**
   * Looks up a name in this order: own arguments and locals, namespaces, inline functions, constants, registers, HISE's
   * API, variables.
   */
  #named(within?: Namespace): Expression {
    let space = within;
    if (!space && this.namespace) {
      space = this.namespace.storage;
      if (this.namespace.name === this.text) {
        this.match('identifier');
        this.match('.');
      }
    }
    const name = this.text;
    const own = this.#own(name);
    if (own) return this.#suffixes(own);
    const other = this.engine.namespaces.get(name);
    if (other) {
      this.match('identifier');
      this.match('.');
      return this.factor(other);
    }
    return this.#suffixes(this.#stored(name, space) ?? this.#free(name));
  }

  #own(name: string): Expression | undefined {
    const outer = this.outerInlineFunction;
    if (outer && (outer.parameters.includes(name) || outer.locals.has(name))) {
      this.fail(`Can't reference local variables in nested function body: ${name}`);
    }
    const inside = this.inlineFunction;
    if (!inside) return undefined;
    const index = inside.parameters.indexOf(name);
    if (index >= 0) {
      this.skip();
      return { get: () => inside.argument(index) };
    }
    if (!inside.locals.has(name)) return undefined;
    this.skip();
    return { get: () => inside.locals.get(name), set: (_scope, value) => inside.locals.set(name, value) };
  }

  #stored(name: string, space: Namespace | undefined): Expression | undefined {
    const spaces = [...(space ? [space] : []), this.engine.storage];
    for (const { inlineFunctions } of spaces) {
      const found = inlineFunctions.get(name);
      if (found) return this.#inlineCall(found);
    }
    for (const { constants } of spaces) {
      if (!constants.has(name)) continue;
      this.skip();
      return { get: () => constants.get(name) };
    }
    for (const { registers } of spaces) {
      if (!registers.has(name)) continue;
      this.skip();
      return { get: () => registers.get(name), set: (_scope, value) => registers.set(name, value) };
    }
    return undefined;
  }

  #inlineCall(called: InlineFunction): Expression {
    this.skip();
    if (!this.matchIf('(')) return constant(called);
    const args = this.#list(')');
    if (args.length !== called.parameters.length) {
      this.fail(`${called.name}: parameter amount mismatch: ${args.length} (Expected: ${called.parameters.length})`);
    }
    return { get: (scope) => called.invoke(scope, () => args.map((each) => each.get(scope))) };
  }

  #free(name: string): Expression {
    this.skip();
    const api = this.engine.api.get(name);
    if (api) return constant(api);
    return { get: (scope) => scope.find(name)?.get(name), unqualified: name };
  }

  #suffixes(before: Expression): Expression {
    if (this.matchIf('.')) return this.#suffixes(this.#member(before, this.identifier()));
    if (this.matchIf('(')) return this.#suffixes(this.#call(before, this.#list(')')));
    if (this.matchIf('[')) {
      const index = this.expression();
      this.match(']');
      return this.#suffixes({
        get: (scope) => {
          const object = before.get(scope);
          const at = index.get(scope);
          return Array.isArray(object) ? object[numberOf(at)] : member(object, textOf(at));
        },
        set: (scope, value) => {
          const object = before.get(scope);
          const at = index.get(scope);
          if (Array.isArray(object)) object[numberOf(at)] = value;
          else if (object instanceof HiseObject) object.properties.set(textOf(at), value);
          else throw new Error('Cannot assign to an element of this');
        },
      });
    }
    for (const operator of ['+', '-']) {
      if (this.matchIf(operator + operator)) {
        return this.#assignment(before, this.#binary(operator, before, constant(int64(1))));
      }
    }
    return before;
  }

  #member(object: Expression, name: string): Expression {
    return {
      get: (scope) => member(object.get(scope), name),
      set: (scope, value) => {
        const target = object.get(scope);
        if (!(target instanceof HiseObject)) throw new Error(`Cannot assign to ${name} property`);
        target.properties.set(name, value);
      },
      member: { object, name },
    };
  }

  #call(callee: Expression, args: Expression[]): Expression {
    const values = (scope: Scope) => args.map((each) => each.get(scope));
    const { member: of } = callee;
    return {
      get: (scope) => {
        const target = of?.object.get(scope);
        const found = !of
          ? callee.get(scope)
          : target instanceof HiseObject
            ? target.properties.get(of.name)
            : undefined;
        if (found instanceof OrdinaryFunction) return found.call(values(scope), scope);
        if (found instanceof Callable) return found.call(values(scope));
        if (!of || found !== undefined) throw new Error('This expression is not a function!');
        return callMember(target, of.name, values(scope));
      },
    };
  }
}

function constant(value: Value): Expression {
  return { get: () => value };
}
