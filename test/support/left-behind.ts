import { parseSync } from 'oxc-parser';

interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: nodes of every kind
  [part: string]: any;
}

/**
 * Calls that change something that all files of a worker share, and the calls that put it back. If none are listed,
 * nothing puts it back.
 */
const CHANGES: Record<string, string[]> = {
  'vi.stubGlobal': ['vi.unstubAllGlobals'],
  'vi.stubEnv': ['vi.unstubAllEnvs'],
  'vi.spyOn': ['mockRestore', 'vi.restoreAllMocks'],
  // also when they are put back: a server that other files use would have set its timers on the held clock meanwhile
  'vi.useFakeTimers': [],
  'process.on': ['process.off', 'process.removeListener'],
  'process.once': ['process.off', 'process.removeListener'],
  'process.chdir': ['process.chdir'],
  'vi.mock': [],
  'vi.doMock': [],
  'vi.resetModules': [],
  'pg.types.setTypeParser': [],
};
const SHARED = /^(process\.env|globalThis)\b|\.prototype\.|^process\.(argv|exitCode|title)$/;
/** Hooks that are called after a test, whatever its result. */
const AFTERWARDS = new Set(['afterEach', 'afterAll', 'onTestFinished']);
/** Names by which a test helper offers its caller what to do at the end. */
const ENDS = new Set(['stop', 'end', 'close', 'restore']);

/**
 * The changes that a source of the tests makes for every other file in its process and does not put back when its tests
 * are over, whether they pass or fail.
 */
export function leftBehind(source: string, file = 'source.ts'): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const changed = new Map<string, string[]>();
  const putBack = new Set<string>();
  visit(program as unknown as Node, false);
  return [...changed].filter(([, ways]) => !ways.some((way) => putBack.has(way))).map(([what]) => what);

  function visit(node: Node, atEnd: boolean): void {
    if (node.type === 'CallExpression') called(node, atEnd);
    if (node.type === 'AssignmentExpression') assigned(node.left, atEnd);
    if (node.type === 'UnaryExpression' && node.operator === 'delete') assigned(node.argument, atEnd);
    for (const [part, value] of Object.entries(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child.type === 'string' && !(node.type === 'VariableDeclaration' && disposes(node)))
          visit(child, atEnd || isEnd(node, part));
  }

  function called({ callee }: Node, atEnd: boolean): void {
    const name = textOf(callee);
    if (atEnd) putBack.add(name).add(callee.property?.name ?? name);
    else if (Object.hasOwn(CHANGES, name)) changed.set(name, CHANGES[name] as string[]);
  }

  function assigned(target: Node, atEnd: boolean): void {
    const name = textOf(target);
    if (!SHARED.test(name)) return;
    if (atEnd) putBack.add(name);
    else changed.set(name, [name]);
  }

  function textOf({ start, end }: Node): string {
    return source.slice(start, end).replaceAll(/\s/g, '');
  }
}

/** Whether what is below this part of a node runs at the end. */
function isEnd(node: Node, part: string): boolean {
  if (node.type === 'TryStatement') return part === 'finalizer';
  if (node.type === 'CallExpression') return part === 'arguments' && AFTERWARDS.has(node.callee.name);
  if (node.type === 'Property') return part === 'value' && ENDS.has(node.key.name);
  return node.type === 'FunctionDeclaration' && ENDS.has(node.id?.name);
}

/** `using` puts back by itself. */
function disposes({ kind }: Node): boolean {
  return kind === 'using' || kind === 'await using';
}
