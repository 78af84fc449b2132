import type { Operations } from './generated/operations.gen.ts';
import type { CallOptions } from './transport.ts';

/** The contract's name of an operation, such as `createProduct`. */
export type OperationId = keyof Operations;

type WithoutUrl<Data> = Omit<Data, 'url'>;
// a key that must not be given has the type `never` in the generated types
type Given<Data> = {
  [K in keyof WithoutUrl<Data> as [NonNullable<WithoutUrl<Data>[K]>] extends [never] ? never : K]: WithoutUrl<Data>[K];
};
/** Path, query and body of an operation. */
export type InputOf<Id extends OperationId> = Given<Operations[Id]['data']>;

type Answers<Id extends OperationId> = Operations[Id]['answers'];
// operations that can also stream text are called by `stream` for that
type JsonOf<Answer> = [Exclude<Answer, string>] extends [never] ? Answer : Exclude<Answer, string>;
/** The result of a successful operation. */
export type AnswerOf<Id extends OperationId> = JsonOf<Answers<Id>[keyof Answers<Id>]>;

/** A result with its response. */
export interface Whole<Data> {
  data: Data;
  response: Response;
  requestId: string | undefined;
}

/** One row of a list, or `never` for anything else. */
export type RowOf<Answer> = Answer extends readonly (infer Row)[]
  ? Row
  : Answer extends { rows: readonly (infer Row)[] } | { customers: readonly (infer Row)[] }
    ? Row
    : never;

/** The rows of a list over all its pages, one by one or in an array. */
export interface Rows<Row> extends AsyncGenerator<Row, void> {
  /** The first rows, at most `limit`: for lists that fit in memory. */
  autoPagingToArray(options: { limit: number }): Promise<Row[]>;
  /** The first page alone, with the way to the next one: for lists that people page through. */
  page(): Promise<ListPage<Row>>;
}

/** The place where a page begins, by a cursor or by its number. Add it to the query of the page's list. */
export interface Place {
  cursor?: string;
  page?: number;
}

/** One page of a list. */
export interface ListPage<Row> {
  rows: Row[];
  /**
   * How many rows the list has, or at least has; undefined where they were not counted. They are for `count: true` in the query, and on
   * the first page for the option `onTotal`.
   */
  total: number | undefined;
  /**
   * The place where the page after this one begins, also for another client or a later run; undefined on the last page.
   */
  next: Place | undefined;
  /** The page after this one; undefined on the last page. */
  nextPage(): Promise<ListPage<Row> | undefined>;
}

type Arguments<Input> =
  Partial<Input> extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];

/** Every operation by its name in the contract, its path, query and body in one object. */
export type Methods = { [Id in OperationId]: (...args: Arguments<InputOf<Id>>) => Promise<AnswerOf<Id>> };
export type WholeMethods = { [Id in OperationId]: (...args: Arguments<InputOf<Id>>) => Promise<Whole<AnswerOf<Id>>> };
export type StreamMethods = { [Id in OperationId]: (...args: Arguments<InputOf<Id>>) => Promise<Response> };
type PagedId = { [Id in OperationId]: [RowOf<AnswerOf<Id>>] extends [never] ? never : Id }[OperationId];
export type Iterators = {
  [Id in PagedId]: (...args: Arguments<InputOf<Id>>) => Rows<RowOf<AnswerOf<Id>>>;
};
