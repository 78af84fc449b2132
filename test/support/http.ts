import { randomUUID } from 'node:crypto';
import type { TestDatabase } from './database.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

interface Request {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One HTTP call, its JSON read. */
export async function call(
  server: { url: string },
  method: string,
  path: string,
  request: Request = {},
): Promise<Answer> {
  const json = request.body !== undefined && typeof request.body !== 'string' && !(request.body instanceof FormData);
  const response = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...request.headers,
    },
    ...(request.body === undefined
      ? {}
      : { body: json ? JSON.stringify(request.body) : (request.body as string | FormData) }),
  });
  const type = response.headers.get('content-type') ?? '';
  // the body of an endless stream is not read
  const endless = type.startsWith('text/event-stream');
  if (endless) await response.body?.cancel();
  const text = endless ? '' : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: /json/.test(type) && text !== '' ? parse(text) : text,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const PASSWORD = 'a fine long password';

export interface Person {
  id: string;
  email: string;
  token: string;
}

/** Registers and signs in, as a person would. */
export async function signUp(server: { url: string }, role: 'developer' | 'reseller' = 'developer'): Promise<Person> {
  const email = `${role}-${randomUUID()}@example.com`;
  const form = { first_name: 'Ada', last_name: 'Row', email, password: PASSWORD, company_name: 'Row Audio' };
  const path = role === 'developer' ? '/api/auth/register' : '/api/reseller/register';
  const registered = await call(server, 'POST', path, { body: form });
  if (registered.status !== 201) throw new Error(`registration failed: ${registered.text}`);
  const login = await call(server, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  return { id: login.body.user.id, email, token: login.body.token };
}

/** As if the person had followed the link in the verification email. */
export async function verifyEmail(server: { db: Pick<TestDatabase, 'query'> }, person: { id: string }): Promise<void> {
  await server.db.query('update users set email_verified_at = now() where id = $1', [person.id]);
}

export async function signUpVerified(
  server: { url: string } & Parameters<typeof verifyEmail>[0],
  role?: 'developer' | 'reseller',
): Promise<Person> {
  const person = await signUp(server, role);
  await verifyEmail(server, person);
  return person;
}

export async function makeProduct(server: { url: string }, token: string, fields: object = {}) {
  const answer = await call(server, 'POST', '/api/products', {
    token,
    body: { name: `Plugin ${randomUUID()}`, price: 49, ...fields },
  });
  if (answer.status !== 201) throw new Error(`no product: ${answer.text}`);
  return answer.body as { id: string; name: string };
}

export async function makeSerials(server: { url: string }, token: string, productId: string, fields: object = {}) {
  const answer = await call(server, 'POST', '/api/serials/generate', {
    token,
    body: { product_id: productId, quantity: 3, ...fields },
  });
  if (answer.status !== 201) throw new Error(`no serials: ${answer.text}`);
  return answer.body.serials as { id: string; code: string }[];
}

/** Redeems as a musician does: the serial step, then the name step when it is asked for. */
export async function redeem(server: { url: string }, serial: string, email: string, dev?: string): Promise<Answer> {
  const first = await call(server, 'POST', '/api/redeem/initiate', {
    body: { serial, email, ...(dev ? { dev } : {}) },
  });
  if (!first.body.require_name) return first;
  return call(server, 'POST', '/api/redeem/complete', {
    body: { temp_token: first.body.temp_token, first_name: 'Nina', last_name: 'Simone' },
  });
}
