import { loadModule, parseSync } from 'libpg-query';

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: a parse tree has a hundred shapes, and this looks at a dozen
type Node = any;

/** Statements that serve all tenants at once (housekeeping, look-ups that find a tenant) carry this comment with a reason. */
const ACROSS = /\/\* across tenants: .+?\*\//s;

const READS_OR_WRITES = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);

interface Relation {
  /** Unique in the statement, so that equal aliases of two levels stay apart. */
  id: string;
  alias: string;
  /** The tenant's table behind the alias; undefined for reference tables, temporary ones and subqueries. */
  table: string | undefined;
  /** The query whose FROM it is in. */
  level: number;
}

/** The names that WITH brings into scope, each with the tenant that its rows carry. */
type Names = ReadonlyMap<string, string | undefined>;

/** Finds out which things a statement declares equal. */
class Equal {
  readonly #parent = new Map<string, string>();

  find(node: string): string {
    const parent = this.#parent.get(node) ?? node;
    if (parent === node) return node;
    const root = this.find(parent);
    this.#parent.set(node, root);
    return root;
  }

  join(a: string, b: string): void {
    this.#parent.set(this.find(a), this.find(b));
  }
}

/**
 * The offenses of a statement that a database distributed by tenant could not run: it reads or changes a tenant's table
 * without naming `developer_id`, or joins two of them without it on both sides. Empty when it does neither.
 *
 * @param mustBind tables of which each use has to be bound by a value: `developer_id = $1` or `= any($1)` on it or on what it is
 *   joined to in the same FROM. What a subquery compares with the row around it does not bind it.
 * @param values of its parameters: a builder gives one value several numbers. Without them, each number is another value.
 * @example tenantOffenses('select 1 from serials where id = $1', new Set(['serials'])) // one offense
 */
export function tenantOffenses(
  sql: string,
  tenantTables: ReadonlySet<string>,
  { mustBind = new Set(), values = [] }: { mustBind?: ReadonlySet<string>; values?: readonly unknown[] } = {},
): string[] {
  if (ACROSS.test(sql)) return [];
  const { stmts = [] } = parseSync(sql) as { stmts?: { stmt: Node }[] };
  return stmts.flatMap(({ stmt }) => new Statement(tenantTables, mustBind, values).offenses(stmt));
}

class Statement {
  readonly #tenantTables: ReadonlySet<string>;
  readonly #equal = new Equal();
  /** The columns that some condition declares equal to something else. */
  readonly #touched = new Set<string>();
  readonly #tenants: Relation[] = [];
  readonly #mustBind: ReadonlySet<string>;
  /** The columns that are declared equal within one FROM, … */
  readonly #near = new Equal();
  /** … and those that are equal to a value there. */
  readonly #bound = new Set<string>();
  #relations = 0;
  #levels = 0;
  #level = 0;

  readonly #values: readonly unknown[];

  constructor(tenantTables: ReadonlySet<string>, mustBind: ReadonlySet<string>, values: readonly unknown[]) {
    this.#tenantTables = tenantTables;
    this.#mustBind = mustBind;
    this.#values = values;
  }

  offenses(stmt: Node): string[] {
    this.#query(stmt, [], new Map());
    const touched = new Set([...this.#touched].map((node) => this.#equal.find(node)));
    const roots = this.#tenants.map((relation) => this.#equal.find(tenantOf(relation)));
    const loose = this.#tenants.filter((_, i) => !touched.has(roots[i] as string));
    if (loose.length > 0) return loose.map(({ table, alias }) => `${table} (${alias}) without developer_id`);
    if (new Set(roots).size <= 1) return this.#unbound();
    return [`${this.#tenants.map(({ table }) => table).join(', ')} are not joined by developer_id`];
  }

  #unbound(): string[] {
    const bound = new Set([...this.#bound].map((node) => this.#near.find(node)));
    return this.#tenants
      .filter((each) => this.#mustBind.has(each.table as string) && !bound.has(this.#near.find(tenantOf(each))))
      .map(({ table, alias }) => `${table} (${alias}) is not bound by a value of developer_id where it is`);
  }

  #same(a: string, b: string): void {
    this.#touched.add(a);
    this.#touched.add(b);
    this.#equal.join(a, b);
  }

  /** Answers the tenant that the query's own `developer_id` column carries on to queries that read from it. */
  #query(stmt: Node, outer: Relation[], above: Names): string | undefined {
    const around = this.#level;
    this.#level = ++this.#levels;
    try {
      return this.#within(stmt, outer, above);
    } finally {
      this.#level = around;
    }
  }

  #within(stmt: Node, outer: Relation[], above: Names): string | undefined {
    const [kind, body] = Object.entries(stmt)[0] as [string, Node];
    if (kind === 'CopyStmt' && body.query) return this.#query(body.query, outer, above);
    if (!READS_OR_WRITES.has(kind)) return undefined;
    const names = new Map(above);
    for (const { CommonTableExpr: cte } of body.withClause?.ctes ?? []) {
      names.set(cte.ctename, undefined);
      names.set(cte.ctename, this.#query(cte.ctequery, outer, names));
    }
    if (kind === 'SelectStmt') return this.#select(body, outer, names);
    const target = this.#relation(body.relation, names, kind !== 'InsertStmt');
    const returning = body.returningList ?? body.returningClause?.exprs;
    const level = [target];
    if (kind === 'InsertStmt') {
      const source = body.selectStmt ? this.#query(body.selectStmt, outer, names) : undefined;
      const tenant = source ?? this.#tenantGiven(body);
      if (tenant) this.#same(tenantOf(target), tenant);
      this.#expressions([body.onConflictClause], [target, ...outer], names);
    } else {
      for (const item of [...(body.fromClause ?? []), ...(body.usingClause ?? [])])
        this.#from(item, level, outer, names);
      this.#where(body.whereClause, level, outer, names);
    }
    this.#expressions([body.targetList, returning], [...level, ...outer], names);
    return this.#output(returning, level, outer);
  }

  #output(targets: Node[] | undefined, level: Relation[], outer: Relation[]): string | undefined {
    for (const { ResTarget: target } of targets ?? []) {
      const fields: Node[] | undefined = bare(target?.val)?.ColumnRef?.fields;
      if (fields?.at(-1)?.A_Star) {
        const relation = fields.length > 1 ? level.find((each) => each.alias === fields[0].String?.sval) : level[0];
        if (relation) return tenantOf(relation);
      }
      const tenant = this.#tenantColumn(target?.val, level, outer);
      if (tenant && (target.name ?? 'developer_id') === 'developer_id') return tenant;
    }
    return undefined;
  }

  #select(body: Node, outer: Relation[], names: Names): string | undefined {
    if (body.op && body.op !== 'SETOP_NONE') {
      const left = this.#query({ SelectStmt: body.larg }, outer, names);
      const right = this.#query({ SelectStmt: body.rarg }, outer, names);
      if (left && right) this.#same(left, right);
      return left ?? right;
    }
    const level: Relation[] = [];
    for (const item of body.fromClause ?? []) this.#from(item, level, outer, names);
    this.#where(body.whereClause, level, outer, names);
    this.#expressions(
      [
        body.targetList,
        body.groupClause,
        body.havingClause,
        body.sortClause,
        body.limitCount,
        body.limitOffset,
        body.valuesLists,
      ],
      [...level, ...outer],
      names,
    );
    return this.#output(body.targetList, level, outer);
  }

  #relation(rangeVar: Node, names: Names, counts = true): Relation {
    const name = rangeVar.relname as string;
    const table = !rangeVar.schemaname && !names.has(name) && this.#tenantTables.has(name) ? name : undefined;
    const relation = { ...this.#next(), alias: rangeVar.alias?.aliasname ?? name, table };
    if (table && counts) this.#tenants.push(relation);
    const carried = names.get(name);
    if (carried && !rangeVar.schemaname) this.#same(tenantOf(relation), carried);
    return relation;
  }

  #next(): Pick<Relation, 'id' | 'level'> {
    return { id: `${++this.#relations}`, level: this.#level };
  }

  #from(item: Node, level: Relation[], outer: Relation[], names: Names): void {
    const [kind, body] = Object.entries(item)[0] as [string, Node];
    if (kind === 'RangeVar') level.push(this.#relation(body, names));
    else if (kind === 'JoinExpr') {
      const left: Relation[] = [];
      const right: Relation[] = [];
      this.#from(body.larg, left, [...level, ...outer], names);
      this.#from(body.rarg, right, [...left, ...level, ...outer], names);
      level.push(...left, ...right);
      const using = (body.usingClause ?? []).map((part: Node) => part.String.sval);
      if (using.includes('developer_id')) {
        for (const a of left)
          for (const b of right) {
            this.#same(tenantOf(a), tenantOf(b));
            this.#near.join(tenantOf(a), tenantOf(b));
          }
      }
      this.#where(body.quals, [...left, ...right], [...level, ...outer], names);
    } else {
      // a subquery or a function: its rows may carry the tenant on
      const derived = { ...this.#next(), alias: body.alias?.aliasname ?? '', table: undefined };
      if (kind === 'RangeSubselect') {
        const carried = this.#query(body.subquery, [...level, ...outer], names);
        if (carried) this.#same(tenantOf(derived), carried);
        level.push(derived);
        return;
      }
      level.push(derived);
      this.#expressions([body], [...level, ...outer], names);
    }
  }

  /** Each condition that must hold may declare two tenants, or a tenant and a value, equal. */
  #where(condition: Node, level: Relation[], outer: Relation[], names: Names): void {
    if (!condition) return;
    const [kind, body] = Object.entries(condition)[0] as [string, Node];
    if (kind === 'BoolExpr' && body.boolop === 'AND_EXPR') {
      for (const arg of body.args) this.#where(arg, level, outer, names);
      return;
    }
    if (kind === 'BoolExpr' && body.boolop === 'OR_EXPR' && this.#isList(body.args, level, outer)) {
      this.#where(body.args[0], level, outer, names);
      return;
    }
    if (
      kind === 'A_Expr' &&
      (body.kind === 'AEXPR_OP' || body.kind === 'AEXPR_OP_ANY' || body.kind === 'AEXPR_IN') &&
      body.name?.at(-1)?.String?.sval === '='
    ) {
      const left = body.lexpr?.RowExpr?.args ?? [body.lexpr];
      const right = body.rexpr?.RowExpr?.args ?? [body.rexpr];
      for (const [i, one] of left.entries()) this.#equate(one, right[i], level, outer);
    }
    if (kind === 'SubLink' && body.subLinkType === 'ANY_SUBLINK') {
      const tested = body.testexpr?.RowExpr?.args ?? [body.testexpr];
      for (const one of tested) {
        const tenant = this.#tenantColumn(one, level, outer);
        // the subquery has to name its own tenant; that it is the same one is checked as for any other level
        if (tenant) this.#touched.add(tenant);
      }
    }
    this.#expressions([condition], [...level, ...outer], names);
  }

  /** Whether each of some alternatives compares the same tenant with values: they are one list, however it is written. */
  #isList(alternatives: Node[], level: Relation[], outer: Relation[]): boolean {
    const compared = alternatives.map(({ A_Expr: each }) =>
      each?.name?.at(-1)?.String?.sval === '=' && isGiven(each.rexpr)
        ? this.#tenantColumn(each.lexpr, level, outer)
        : undefined,
    );
    return compared.every((tenant) => tenant !== undefined && tenant === compared[0]);
  }

  #equate(a: Node, b: Node, level: Relation[], outer: Relation[]): void {
    this.#bind(a, b, level, outer);
    const left = this.#tenantColumn(a, level, outer) ?? this.#value(a, level, outer);
    const right = this.#tenantColumn(b, level, outer) ?? this.#value(b, level, outer);
    if (left && right && (left.startsWith('tenant:') || right.startsWith('tenant:'))) this.#same(left, right);
  }

  /** As far as the planner of many machines sees it: within one FROM. */
  #bind(a: Node, b: Node, level: Relation[], outer: Relation[]): void {
    const [left, right] = [a, b].map((each) => {
      const relation = this.#tenantRelation(each, level, outer);
      return relation?.level === this.#level ? tenantOf(relation) : undefined;
    });
    if (left && right) this.#near.join(left, right);
    else if (left && isGiven(b)) this.#bound.add(left);
    else if (right && isGiven(a)) this.#bound.add(right);
  }

  #tenantColumn(expression: Node, level: Relation[], outer: Relation[]): string | undefined {
    const relation = this.#tenantRelation(expression, level, outer);
    return relation && tenantOf(relation);
  }

  #tenantRelation(expression: Node, level: Relation[], outer: Relation[]): Relation | undefined {
    // the column as it is: no index has it in another type, and no machine is found by it
    const fields: string[] | undefined = expression?.ColumnRef?.fields?.map((field: Node) => field.String?.sval);
    if (fields?.at(-1) !== 'developer_id') return undefined;
    return fields.length > 1
      ? [...level, ...outer].find((each) => each.alias === fields[0])
      : (level.find((each) => each.table) ?? level[0] ?? outer.find((each) => each.table) ?? outer[0]);
  }

  #value(expression: Node, level: Relation[], outer: Relation[]): string | undefined {
    const plain = bare(expression);
    if (plain?.ParamRef) return this.#parameter(plain.ParamRef.number);
    if (plain?.A_Const) return `const:${JSON.stringify(plain.A_Const.sval ?? plain.A_Const)}`;
    const fields: string[] | undefined = plain?.ColumnRef?.fields?.map((field: Node) => field.String?.sval);
    if (fields) {
      const relation = fields.length > 1 ? [...level, ...outer].find((each) => each.alias === fields[0]) : undefined;
      return `column:${relation?.id ?? ''}.${fields.at(-1)}`;
    }
    if (plain?.SubLink) return 'subquery';
    return plain ? 'expression' : undefined;
  }

  /** One list of tenants that a statement names several times is one value, too. */
  #parameter(number: number): string {
    const value = this.#values[number - 1];
    if (typeof value === 'string') return `value:${value}`;
    return Array.isArray(value) ? `$${this.#values.indexOf(value) + 1}` : `$${number}`;
  }

  /** The parameter that an INSERT of one row of values gives as its tenant. Several rows may be of several tenants. */
  #tenantGiven(insert: Node): string | undefined {
    const rows: Node[] = insert.selectStmt?.SelectStmt?.valuesLists ?? [];
    const column = (insert.cols ?? []).findIndex(({ ResTarget: { name } }: Node) => name === 'developer_id');
    const given = rows.length === 1 ? bare(rows[0].List.items[column]) : undefined;
    return given?.ParamRef && this.#parameter(given.ParamRef.number);
  }

  /** Looks for subqueries anywhere in expressions. */
  #expressions(parts: Node[], visible: Relation[], names: Names): void {
    for (const part of parts) {
      if (!part || typeof part !== 'object') continue;
      if (Array.isArray(part)) {
        this.#expressions(part, visible, names);
        continue;
      }
      for (const [key, value] of Object.entries(part)) {
        if (key === 'SelectStmt') this.#query({ SelectStmt: value }, visible, names);
        else this.#expressions([value], visible, names);
      }
    }
  }
}

function tenantOf(relation: Relation): string {
  return `tenant:${relation.id}`;
}

/** The expression without casts. */
function bare(expression: Node): Node {
  return expression?.TypeCast ? bare(expression.TypeCast.arg) : expression;
}

/** A parameter or a constant, or a list of them. */
function isGiven(expression: Node): boolean {
  const plain = bare(expression);
  const list = plain?.A_ArrayExpr ? (plain.A_ArrayExpr.elements ?? []) : plain?.List?.items;
  return Boolean(plain?.ParamRef ?? plain?.A_Const ?? list?.every(isGiven));
}
