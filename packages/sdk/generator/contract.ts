/** The parts of the contract that the generators read. */

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
}

export interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  description?: string;
}

export interface Answer {
  description?: string;
  content?: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Answer>;
  /** The callers who may use it. */
  'x-access'?: Needs & { knows?: Needs };
}

interface Needs {
  role?: string;
  scope?: string | string[];
}

export interface Contract {
  info: { version: string; license?: { name: string; identifier?: string } };
  servers?: { url: string }[];
  webhooks?: Record<string, { post: Operation }>;
  tags?: { name: string; description?: string }[];
  paths: Record<
    string,
    Record<string, Omit<Operation, 'responses'> & { responses: Record<string, Answer | Reference> }>
  >;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    securitySchemes: Record<string, object>;
  };
}

interface Reference {
  $ref: string;
}

export interface Route extends Operation {
  url: string;
  method: string;
}

/** All operations with their paths and with the answers that they share, by the name of the operation. */
export function routesOf(contract: Contract): Route[] {
  const answerOf = (answer: Answer | Reference): Answer =>
    '$ref' in answer ? (contract.components.responses[nameOf(answer.$ref)] ?? missing(answer.$ref)) : answer;
  return Object.entries(contract.paths)
    .flatMap(([url, methods]) =>
      Object.entries(methods).map(([method, { responses, ...operation }]) => {
        const answers = Object.entries(responses).map(([status, answer]) => [status, answerOf(answer)]);
        return { url, method, ...operation, responses: Object.fromEntries(answers) };
      }),
    )
    .sort((a, b) => a.operationId.localeCompare(b.operationId));
}

function missing(ref: string): never {
  throw new Error(`The contract has no ${ref}.`);
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** The scopes of the operations that accounts of a role may call. */
export function scopesOf(contract: Contract, role: 'developer' | 'reseller'): string[] {
  const needs = routesOf(contract).flatMap(({ 'x-access': access }) => (access ? [access, access.knows ?? {}] : []));
  const fitting = needs.filter((each) => each.role === undefined || each.role === role);
  return [...new Set(fitting.flatMap(({ scope = [] }) => scope))].sort();
}

/** The schema that a reference points to, or the schema itself. */
export function resolved(contract: Contract, schema: Schema | undefined): Schema | undefined {
  return schema?.$ref === undefined ? schema : contract.components.schemas[nameOf(schema.$ref)];
}

/** `createProduct` → `CreateProduct`, the stem of the generated types' names. */
export function typeName(operationId: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}
