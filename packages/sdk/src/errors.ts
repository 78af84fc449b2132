/** RFC 9457 problem details, the format of every refusal by the API. */
export interface ProblemDetails {
  type?: string;
  title?: string;
  /** The HTTP status; in the licensing API a stable word instead, such as `seat_limit`. */
  status?: number | string;
  detail?: string;
  /** A stable word for machines, such as `serial_already_redeemed`. */
  code?: string;
  /** The message for people. */
  message?: string;
  request_id?: string;
  /**
   * Set with `idempotency_in_progress`: seconds until the first request has ended or died, unless it still works then.
   */
  held_for?: number;
  errors?: { path: string; message: string }[];
  /** The licensing API names its refusals here. */
  error?: string;
}

interface Details {
  status?: number | undefined;
  problem?: ProblemDetails | undefined;
  requestId?: string | undefined;
  headers?: Headers | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  final?: boolean;
  cause?: unknown;
  code?: string;
}

/** A failed call. `status` is undefined when no response arrived. */
export class TonerowError extends Error {
  override name = 'TonerowError';
  readonly status: number | undefined;
  /** A stable word for programs: a problem's `code`, or the `status` of a refusal by the licensing API. */
  readonly code: string | undefined;
  /** The kind of the problem, as RFC 9457 has it: the path of its description on the server, such as `/problems/name_taken`. */
  readonly type: string | undefined;
  /** The request id, to quote in a support request. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, if the server sent Retry-After. */
  readonly retryAfter: number | undefined;
  /** True when the server said by `X-Should-Retry: false` that another try will not succeed either. */
  readonly final: boolean;
  /** The fields that are wrong, each with a message. */
  readonly errors: { path: string; message: string }[];
  readonly problem: ProblemDetails | undefined;
  /** The headers of the response; undefined when none arrived. They are not enumerable, so that a logged error is short. */
  declare readonly headers: Headers | undefined;
  /** The key a write was sent with. A retry with the same key never repeats the work, even when the response was lost. */
  idempotencyKey: string | undefined;
  /** How many times the call was tried; undefined where no call failed, as for an error that a program makes itself. */
  attempts: number | undefined;

  constructor(message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.problem = details.problem;
    this.type = details.problem?.type;
    this.code = details.problem?.code ?? licenseStatus(details.problem) ?? details.code;
    this.requestId = details.requestId ?? details.problem?.request_id;
    this.retryAfter = details.retryAfter;
    this.final = details.final ?? false;
    this.errors = details.problem?.errors ?? [];
    Object.defineProperty(this, 'headers', { value: details.headers });
  }
}

function licenseStatus(problem: ProblemDetails | undefined): string | undefined {
  return typeof problem?.status === 'string' ? problem.status : undefined;
}

/** 401: no credential, or an invalid one. */
export class AuthenticationError extends TonerowError {
  override name = 'AuthenticationError';
}
/** 403: known, but not allowed. */
export class PermissionError extends TonerowError {
  override name = 'PermissionError';
}
/** 404: it doesn't exist, or belongs to another account. */
export class NotFoundError extends TonerowError {
  override name = 'NotFoundError';
}
/** 409: it conflicts with the current state. */
export class ConflictError extends TonerowError {
  override name = 'ConflictError';
}
/** 400, 413, 415, 422: the request itself is wrong; `errors` names the fields. */
export class InvalidRequestError extends TonerowError {
  override name = 'InvalidRequestError';
}
/** 429: too many requests; wait `retryAfter` seconds. */
export class RateLimitError extends TonerowError {
  override name = 'RateLimitError';
}
/** 5xx: an error in the server, or something it depends on is down. */
export class ServerError extends TonerowError {
  override name = 'ServerError';
}
/** No response: no network, no server, or the connection broke. */
export class ConnectionError extends TonerowError {
  override name = 'ConnectionError';
}
/** No response arrived in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/**
 * The response did not come from Tonerow, or the call doesn't declare it: a redirect, a web page, a proxy's own error.
 * Whether anything was done is unknown. It has no `status`, because that is not Tonerow's.
 */
export class UnexpectedAnswerError extends TonerowError {
  override name = 'UnexpectedAnswerError';
  /** The HTTP status that arrived; browsers report 0 for a redirect. */
  readonly answer: { status: number; contentType: string };

  constructor(message: string, answer: { status: number; contentType: string }, headers?: Headers) {
    super(message, { code: 'unexpected_answer', headers });
    this.answer = answer;
  }
}

const byStatus: Record<number, typeof TonerowError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** Creates the error class that matches a refusal's status. */
export function refusalOf(response: Response, problem: ProblemDetails | undefined, message?: string): TonerowError {
  const Kind = byStatus[response.status] ?? (response.status >= 500 ? ServerError : TonerowError);
  return new Kind(message ?? `HTTP ${response.status}`, {
    status: response.status,
    problem,
    requestId: response.headers.get('x-request-id') ?? undefined,
    headers: response.headers,
    retryAfter: retryAfterOf(response.headers),
    final: response.headers.get('x-should-retry')?.trim().toLowerCase() === 'false',
  });
}

/** Retry-After in seconds: a number, or a date to wait for. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
