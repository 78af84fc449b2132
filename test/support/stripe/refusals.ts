/** An answer with Stripe's form of an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;

  constructor(status: number, error: { type: string; message: string; [more: string]: unknown }) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export const invalid = (message: string, more: Record<string, unknown> = {}, status = 400) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...more });

export const noSuch = (what: string, id: string, param = 'id') =>
  invalid(
    `No such ${what}: '${id}'`,
    { code: 'resource_missing', param },
    // an id in the address is not found; an id in a parameter makes the request invalid
    param === 'id' ? 404 : 400,
  );

export const declined = (message: string, code: string, more: Record<string, unknown> = {}) =>
  new Refusal(402, { type: 'card_error', code, message, ...more });
