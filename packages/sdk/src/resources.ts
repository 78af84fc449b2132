import { operations } from './generated/operations.gen.ts';
import { type Resources, resources } from './generated/resources.gen.ts';
import type { RowOf, Rows, Whole } from './operations.ts';
import type { CallInput, CallOptions } from './transport.ts';

type Result<Method> = Method extends (...args: never[]) => Promise<infer Data> ? Data : never;
type Given<Method> = Method extends (...args: infer Args) => unknown ? Args : never;

export type WholeResources = {
  [R in keyof Resources]: {
    [M in keyof Resources[R]]: (...args: Given<Resources[R][M]>) => Promise<Whole<Result<Resources[R][M]>>>;
  };
};
export type ResourceStreams = {
  [R in keyof Resources]: { [M in keyof Resources[R]]: (...args: Given<Resources[R][M]>) => Promise<Response> };
};
export type ResourceIterators = {
  [R in keyof Resources]: {
    [M in keyof Resources[R] as [RowOf<Result<Resources[R][M]>>] extends [never] ? never : M]: (
      ...args: Given<Resources[R][M]>
    ) => Rows<RowOf<Result<Resources[R][M]>>>;
  };
};

type Methods = Record<string, (input?: CallInput, options?: CallOptions) => unknown>;
type Row = readonly [id: keyof typeof operations, ...takes: ('body' | 'query' | 'headers')[]];

/** The methods of each resource, which call operations by their names. */
export function byResource(methods: Methods): Record<string, Record<string, (...args: unknown[]) => unknown>> {
  return mapped(resources as Record<keyof Resources, Record<string, Row>>, (rows) =>
    mapped(rows, ([id, ...takes]) => {
      return (...args: unknown[]) => {
        // only now: a client has hundreds of methods, and most programs call a few
        const names = [...operations[id][1].matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
        const path = Object.fromEntries(names.map((name, at) => [name, args[at]]));
        const rest = takes.map((part, at) => [part, args[names.length + at]]);
        const options = args[names.length + takes.length] as CallOptions | undefined;
        return methods[id]?.({ path, ...Object.fromEntries(rest) }, options);
      };
    }),
  );
}

function mapped<Value, Made>(table: Record<string, Value>, make: (value: Value) => Made): Record<string, Made> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));
}
