import { ExpressionParser } from './expressions.ts';
import { isTrue } from './operators.ts';
import { type Expression, type InlineFunction, OrdinaryFunction, type Statement } from './storage.ts';
import { textOf } from './values.ts';

const nothing: Statement = () => 'on';

/** Reads the statements of HiseScript. */
export class ScriptParser extends ExpressionParser {
  #inFunction = false;

  script(): Statement {
    return inOrder(this.#list('end'));
  }

  protected functionBody(made: OrdinaryFunction): void {
    this.match('(');
    while (this.type !== ')') {
      made.parameters.push(this.identifier());
      if (this.type !== ')') this.match(',');
    }
    this.match(')');
    const before = { outer: this.outerInlineFunction, inline: this.inlineFunction, inFunction: this.#inFunction };
    this.outerInlineFunction = this.inlineFunction ?? this.outerInlineFunction;
    this.inlineFunction = undefined;
    this.#inFunction = true;
    made.body = this.#block();
    this.outerInlineFunction = before.outer;
    this.inlineFunction = before.inline;
    this.#inFunction = before.inFunction;
  }

  #list(end: string): Statement[] {
    const statements: Statement[] = [];
    while (this.type !== end) statements.push(this.#statement());
    return statements;
  }

  #block(): Statement {
    this.match('{');
    const statements = this.#list('}');
    this.match('}');
    return inOrder(statements);
  }

  #statement(): Statement {
    if (this.type === '{') return this.#block();
    if (this.matchIf(';')) return nothing;
    if (this.matchIf('include')) return this.#include();
    if (this.matchIf('namespace')) return this.#inNamespace();
    if (this.matchIf('inline')) return this.#inline();
    if (this.matchIf('const')) return this.#constant();
    if (this.matchIf('reg')) return this.#register();
    if (this.matchIf('var')) return this.#variable();
    if (this.matchIf('local')) return this.#local();
    if (this.matchIf('function')) return this.#function();
    if (this.matchIf('if')) return this.#if();
    if (this.matchIf('while')) return this.#while();
    if (this.matchIf('return')) return this.#return();
    if (!['identifier', 'literal', '('].includes(this.type)) this.fail(`Found ${this.type} when expecting a statement`);
    const run = this.expression();
    this.match(';');
    return (scope) => {
      run.get(scope);
      return 'on';
    };
  }

  #include(): Statement {
    if (this.namespace) this.fail('Including files inside namespaces is not supported');
    this.match('(');
    const name = textOf(this.literal);
    this.match('literal');
    this.match(')');
    this.match(';');
    return new ScriptParser(this.engine, this.engine.file(name), name).script();
  }

  #inNamespace(): Statement {
    const name = this.identifier();
    const storage = this.engine.namespaces.get(name);
    if (!storage) this.fail('Error at parsing namespace');
    this.namespace = { name, storage };
    const block = this.#block();
    this.namespace = undefined;
    return block;
  }

  #inline(): Statement {
    if (this.inlineFunction) this.fail('No nested inline functions allowed.');
    this.match('function');
    const name = this.identifier();
    this.match('(');
    while (!this.matchIf(')')) this.skip();
    const made = this.#storage().inlineFunctions.get(name) as InlineFunction;
    this.inlineFunction = made;
    made.body = this.#block();
    this.inlineFunction = undefined;
    this.matchIf(';');
    return nothing;
  }

  #constant(): Statement {
    this.matchIf('var');
    if (this.inlineFunction || this.#inFunction) this.fail("Can't declare const var statement inside function body");
    const name = this.#declared('const variable');
    const { constants } = this.#storage();
    const value = this.#initial();
    return (scope) => {
      constants.set(name, value.get(scope));
      return 'on';
    };
  }

  #register(): Statement {
    const name = this.#declared('register variable');
    const { registers } = this.#storage();
    const value = this.#initial();
    return (scope) => {
      registers.set(name, value.get(scope));
      return 'on';
    };
  }

  #variable(): Statement {
    if (this.inlineFunction) this.fail("Can't declare var statement in inline function");
    const name = this.#declared('variable');
    const value = this.#initial();
    return (scope) => {
      scope.variables.set(name, value.get(scope));
      return 'on';
    };
  }

  #local(): Statement {
    const inside = this.inlineFunction;
    if (!inside) this.fail('Cannot define local variables outside of inline functions or callbacks.');
    const name = this.identifier();
    inside.locals.set(name, undefined);
    const value = this.#initial();
    return (scope) => {
      inside.locals.set(name, value.get(scope));
      return 'on';
    };
  }

  /** A name that the whole script shares: ordinary functions are global wherever they are declared. */
  #function(): Statement {
    const name = this.identifier();
    const made = new OrdinaryFunction(this.engine.root);
    this.functionBody(made);
    return () => {
      this.engine.root.variables.set(name, made);
      return 'on';
    };
  }

  #if(): Statement {
    const condition = this.#condition();
    const yes = this.#statement();
    const no = this.matchIf('else') ? this.#statement() : nothing;
    return (scope, result) => (isTrue(condition.get(scope)) ? yes : no)(scope, result);
  }

  #while(): Statement {
    const condition = this.#condition();
    const body = this.#statement();
    return (scope, result) => {
      while (isTrue(condition.get(scope))) if (body(scope, result) === 'return') return 'return';
      return 'on';
    };
  }

  #return(): Statement {
    const value = this.type === ';' ? { get: () => undefined } : this.expression();
    this.match(';');
    return (scope, result) => {
      result.value = value.get(scope);
      return 'return';
    };
  }

  #condition(): Expression {
    this.match('(');
    const condition = this.expression();
    this.match(')');
    return condition;
  }

  #initial(): Expression {
    const value = this.matchIf('=') ? this.expression() : { get: () => undefined };
    this.match(';');
    return value;
  }

  /** A name of the script's own top level can be one thing only, and a namespace does not change that. */
  #declared(kind: 'const variable' | 'register variable' | 'variable'): string {
    const name = this.identifier();
    const { constants, registers } = this.engine.storage;
    const existing = constants.has(name)
      ? 'const variable'
      : registers.has(name)
        ? 'register variable'
        : this.engine.root.variables.has(name) && 'variable';
    if (existing && existing !== kind) this.fail(`Identifier ${name} is already defined as ${existing}`);
    return name;
  }

  #storage() {
    return this.namespace?.storage ?? this.engine.storage;
  }
}

function inOrder(statements: Statement[]): Statement {
  return (scope, result) => {
    for (const each of statements) {
      const ending = each(scope, result);
      if (ending !== 'on') return ending;
    }
    return 'on';
  };
}
