/** RFC 9457 problem details, as every refusal of the API comes. */
export interface ProblemDetails {
  type?: string;
  title?: string;
  /** The HTTP status; in the licensing API a stable word instead, such as `seat_limit`. */
  status?: number | string;
  detail?: string;
  /** A stable word for machines, such as `serial_already_redeemed`. */
  code?: string;
  /** For people. */
  message?: string;
  request_id?: string;
  errors?: { path: string; message: string }[];
  /** The licensing API names its refusals here. */
  error?: string;
}

interface Details {
  status?: number | undefined;
  problem?: ProblemDetails | undefined;
  requestId?: string | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
  code?: string;
}

/** Anything that went wrong with a call. `status` is missing when no answer came. */
export class TonerowError extends Error {
  override name = 'TonerowError';
  readonly status: number | undefined;
  /** A stable word for programs: a problem's `code`, or the `status` of a refusal by the licensing API. */
  readonly code: string | undefined;
  /** Name it when you ask for help. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, when the server said so. */
  readonly retryAfter: number | undefined;
  /** What is wrong with which field. */
  readonly errors: { path: string; message: string }[];
  readonly problem: ProblemDetails | undefined;
  /** The key a write was sent with. A repeat with the same key does nothing twice, also when the answer was lost. */
  idempotencyKey: string | undefined;

  constructor(message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.problem = details.problem;
    this.code = details.problem?.code ?? licenseStatus(details.problem) ?? details.code;
    this.requestId = details.requestId ?? details.problem?.request_id;
    this.retryAfter = details.retryAfter;
    this.errors = details.problem?.errors ?? [];
  }
}

function licenseStatus(problem: ProblemDetails | undefined): string | undefined {
  return typeof problem?.status === 'string' ? problem.status : undefined;
}

/** 401: no credential, or one that does not count. */
export class AuthenticationError extends TonerowError {
  override name = 'AuthenticationError';
}
/** 403: known, but not allowed. */
export class PermissionError extends TonerowError {
  override name = 'PermissionError';
}
/** 404: absent, or somebody else's. */
export class NotFoundError extends TonerowError {
  override name = 'NotFoundError';
}
/** 409: it collides with what is there. */
export class ConflictError extends TonerowError {
  override name = 'ConflictError';
}
/** 400, 413, 415, 422: the request itself is wrong; `errors` names the fields. */
export class InvalidRequestError extends TonerowError {
  override name = 'InvalidRequestError';
}
/** 429: slow down; `retryAfter` says for how long. */
export class RateLimitError extends TonerowError {
  override name = 'RateLimitError';
}
/** 5xx: a fault of the server, or something it depends on is down. */
export class ServerError extends TonerowError {
  override name = 'ServerError';
}
/** No answer came: no network, no server, or the connection broke. */
export class ConnectionError extends TonerowError {
  override name = 'ConnectionError';
}
/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/**
 * The answer did not come from Tonerow, or is none that the call can have: a redirect, a web page, the words of a proxy.
 * Whether anything was done is unknown. It has no `status`, because that is not Tonerow's.
 */
export class UnexpectedAnswerError extends TonerowError {
  override name = 'UnexpectedAnswerError';
  /** What came instead; a browser hides a redirect's status as 0. */
  readonly answer: { status: number; contentType: string };

  constructor(message: string, answer: { status: number; contentType: string }) {
    super(message, { code: 'unexpected_answer' });
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

/** A refusal in the error class of its status. */
export function refusalOf(response: Response, problem: ProblemDetails | undefined, message?: string): TonerowError {
  const Kind = byStatus[response.status] ?? (response.status >= 500 ? ServerError : TonerowError);
  return new Kind(message ?? `HTTP ${response.status}`, {
    status: response.status,
    problem,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response.headers),
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
