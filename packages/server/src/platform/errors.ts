/**
 * Every error the API can answer: code → status and title. `title` never varies; the text a person reads is the
 * AppError's message. The internal cause is logged and never sent.
 */
const table = {
  invalid_request: [400, 'The request is not valid'],
  malformed_body: [400, 'The body is unreadable'],
  api_version_unsupported: [400, 'The API version is not supported'],
  authorization_pending: [400, 'The code is not confirmed yet'],
  slow_down: [400, 'Asked too often'],
  access_denied: [400, 'The sign-in was denied'],
  expired_token: [400, 'The code has expired'],
  invalid_grant: [400, 'The code is not valid'],
  unsupported_grant_type: [400, 'The grant type is not supported'],
  unauthorized: [401, 'Sign-in required'],
  invalid_credentials: [401, 'Wrong email or password'],
  invalid_token: [401, 'The token is not valid'],
  identity_refused: [401, 'The identity token is refused'],
  two_factor_required: [401, 'A second factor is required'],
  two_factor_invalid: [401, 'The second factor is wrong'],
  download_token_invalid: [401, 'Open the downloads again'],
  card_required: [402, 'A card is required'],
  forbidden: [403, 'Not allowed'],
  insufficient_scope: [403, 'The access token is missing a scope'],
  email_unverified: [403, 'The email address is not verified'],
  wrong_password: [403, 'The password is wrong'],
  quota_reached: [403, 'The plan’s redemption quota is used up'],
  serial_revoked: [403, 'The serial has been revoked'],
  developer_gone: [403, 'The maker has closed their account'],
  serial_expired: [403, 'The serial has expired'],
  serial_not_yet_valid: [403, 'The serial cannot be redeemed yet'],
  download_limit_reached: [403, 'The download limit is reached'],
  not_found: [404, 'Not found'],
  serial_not_found: [404, 'Serial not found'],
  not_acceptable: [406, 'Not available in the requested format'],
  conflict: [409, 'Conflict'],
  name_taken: [409, 'The name is taken'],
  stale_version: [409, 'Changed by somebody else'],
  product_has_redeemed_serials: [409, 'The product has redeemed serials'],
  out_of_stock: [409, 'Not enough serials are left'],
  price_changed: [409, 'The price has changed'],
  unpaid_statements: [409, 'Payout statements are unpaid'],
  partner_paused: [409, 'The partnership is paused'],
  serial_already_redeemed: [409, 'The serial has already been redeemed'],
  idempotency_in_progress: [409, 'The same request is still running'],
  payload_too_large: [413, 'Too large'],
  unsupported_media_type: [415, 'Wrong content type'],
  idempotency_key_reused: [422, 'The idempotency key belongs to another request'],
  reference_reused: [422, 'The reference belongs to another draw'],
  dates_out_of_order: [422, 'The dates are out of order'],
  ambiguous_group: [422, 'The name matches several groups'],
  csv_unusable: [422, 'The file cannot be imported'],
  import_unanswered: [422, 'The import has open questions'],
  import_in_use: [409, 'The import cannot be taken back'],
  ambiguous_serial: [422, 'The serial can only be redeemed on its developer’s page'],
  temp_token_invalid: [422, 'Start the redemption again'],
  product_is_draft: [422, 'The product is a draft'],
  domain_rule: [422, 'A business rule does not allow this'],
  reset_token_invalid: [422, 'The link is no longer valid'],
  link_invalid: [422, 'The link is no longer valid'],
  rate_limited: [429, 'Too many requests'],
  busy: [429, 'Busy'],
  internal: [500, 'Something went wrong'],
  payments_not_configured: [503, 'Card payments are not configured.'],
  unavailable: [503, 'Temporarily unavailable'],
  storage_full: [507, 'The disk is full'],
} as const satisfies Record<string, readonly [number, string]>;

/** Errors that another try will not fix: a response header asks clients that retry by themselves not to. */
export const finalCodes: readonly ErrorCode[] = ['payments_not_configured', 'storage_full'];

export type ErrorCode = keyof typeof table;

export const errorCodes = Object.keys(table) as ErrorCode[];

export interface FieldError {
  /** JSON path into the body, query or params, such as `file_urls.0.url`. */
  path: string;
  message: string;
}

interface Options {
  errors?: FieldError[];
  /** Seconds, for the Retry-After header. */
  retryAfter?: number;
  /** How many are left of what was asked for. */
  available?: number;
  /** When the same request will be accepted. */
  opensAt?: Date;
  /** Seconds for which the same request may still be running. */
  heldFor?: number;
  /** Further headers of the answer. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error the caller is meant to see. The message is public. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly available: number | undefined;
  readonly opensAt: Date | undefined;
  readonly heldFor: number | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message?: string, options: Options = {}) {
    super(message ?? table[code][1], { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
    this.available = options.available;
    this.opensAt = options.opensAt;
    this.heldFor = options.heldFor;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return table[this.code][0];
  }

  get title(): string {
    return table[this.code][1];
  }
}

/** A reason not to start, in words for the operator: shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** The problem with a field, readable without it: our own message as it is, a general one after the field's name. */
export function sentenceOf(name: string, message: string): string {
  if (message === 'Required.') return `${name} is required.`;
  if (message === 'Not valid.') return `${name} is not valid.`;
  if (message === 'Unknown field.') return `${name} is not a known field.`;
  return message.startsWith('Must ') ? `${name} m${message.slice(1)}` : message;
}

/** One field is wrong: 400 with the field's path. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid_request', sentenceOf(path, message), { errors: [{ path, message }] });
}

export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} not found.`);
}

/** PostgreSQL's SQLSTATE of an error, also when a library wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error; e !== null && typeof e === 'object'; e = (e as { cause?: unknown }).cause) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/**
 * The constraint a statement ran into, or undefined. A database of many machines has it only in the message, with the
 * number of the shard: `products_developer_name_unique_102018`.
 */
export function violatedConstraint(error: unknown): string | undefined {
  for (let e = error; e !== null && typeof e === 'object'; e = (e as { cause?: unknown }).cause) {
    const { constraint, code, message } = e as { constraint?: unknown; code?: unknown; message?: unknown };
    const match =
      typeof code === 'string' && code.startsWith('23') ? / constraint "([^"]+)"/.exec(String(message)) : null;
    const name = typeof constraint === 'string' ? constraint : match?.[1];
    if (name !== undefined) return name.replace(/_\d{6,}$/, '');
  }
  return undefined;
}
