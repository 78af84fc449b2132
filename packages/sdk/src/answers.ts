import { ConnectionError, type ProblemDetails, refusalOf, UnexpectedAnswerError } from './errors.ts';

/** The responses that the contract declares for an operation. */
export interface Declared {
  /** The content types of each successful status; none for a redirect. */
  answers: Readonly<Record<number, readonly string[]>>;
  /** The content type of its refusals. */
  refusal: string;
}

/** Accepts any success of a requested type, for a path outside the contract. */
export interface Accepted {
  accept: string;
}

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * Accepts only responses that the contract declares. A redirect, a web page or a proxy's own response must never
 * look like success.
 * @throws {TonerowError} for everything else: the server's refusal, or an {@link UnexpectedAnswerError}.
 */
export async function mustBeExpected(url: string, response: Response, expected: Declared | Accepted): Promise<void> {
  if (isExpected(response, expected)) return;
  // a web page may be of any length, so only refusals are read
  if (response.status >= 400) throw await refused(url, response, expected);
  await response.body?.cancel().catch(() => undefined);
  throw unexpected(url, response, expected);
}

/** The media type of an answer without its parameters, such as `text/csv`; empty when it names none. */
export function typeOf(response: Response): string {
  return (response.headers.get('content-type')?.split(';')[0] ?? '').trim().toLowerCase();
}

function isExpected(response: Response, expected: Declared | Accepted): boolean {
  if ('accept' in expected) return response.ok && accepts(expected.accept, typeOf(response));
  const { answers } = expected;
  const redirects = Object.keys(answers).some((status) => status.startsWith('3'));
  // browsers hide the target of a redirect, and a custom fetch may have followed it
  if (redirects && (response.type === 'opaqueredirect' || (response.redirected && response.ok))) return true;
  const types = answers[response.status];
  if (types === undefined) return false;
  return response.status >= 300 ? response.headers.has('location') : types.includes(typeOf(response));
}

function accepts(accept: string, type: string): boolean {
  return accept
    .split(',')
    .map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
    .some(
      (range) => range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))),
    );
}

async function refused(url: string, response: Response, expected: Declared | Accepted) {
  const type = typeOf(response);
  const refusal = 'accept' in expected ? [PROBLEM_TYPE, JSON_TYPE] : [expected.refusal, PROBLEM_TYPE];
  const text = await response.text().catch(() => '');
  if (refusal.includes(type)) {
    const problem = problemIn(text);
    if (problem) return refusalOf(response, problem, problem.message ?? problem.error ?? problem.title);
    // JUCE's own client gets refusals as XML
    if (!/json/.test(type) && text !== '') return refusalOf(response, undefined, undefined);
  }
  const what = `${place(url)} responded ${response.status} ${bodyOf(type)}`;
  // temporary errors keep their class, so that they are retried
  if (response.status >= 500)
    return refusalOf(response, undefined, `${what}. A proxy in front of the server probably cannot reach it.`);
  if ([408, 425, 429].includes(response.status)) return refusalOf(response, undefined, `${what}.`);
  return unexpectedAnswer(`${what}, which does not come from Tonerow. ${advice(url)}`, response);
}

function unexpected(url: string, response: Response, expected: Declared | Accepted): UnexpectedAnswerError {
  const type = typeOf(response);
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    return unexpectedAnswer(redirected(url, response), response);
  const wanted = 'accept' in expected ? [expected.accept] : (expected.answers[response.status] ?? []);
  const what =
    wanted.length === 0
      ? `${place(url)} responded ${response.status} ${bodyOf(type)}, which Tonerow never does`
      : `${place(url)} responded ${bodyOf(type)} instead of ${wanted.join(' or ')}`;
  return unexpectedAnswer(`${what}. ${advice(url)}`, response);
}

function redirected(url: string, response: Response): string {
  const location = response.headers.get('location');
  const from = absolute(url);
  const to = location && URL.canParse(location, from) ? new URL(location, from) : undefined;
  const what = `${place(url)} redirects${to ? ` to ${place(to.href)}` : ''} (${response.status})`;
  const next =
    to && from && to.origin !== from.origin && from.pathname.endsWith(to.pathname)
      ? `Use ${to.origin} as the server's URL.`
      : advice(url);
  return `${what}. Redirects are not followed. ${next}`;
}

/** Advises what usually helps: the other scheme, or the address without its path. */
function advice(url: string): string {
  const here = absolute(url);
  if (!here) return "Check the server's URL.";
  const before = here.pathname.indexOf('/api/');
  const tries = [
    ...(here.protocol === 'http:' ? [`https://${here.host}`] : []),
    ...(before > 0 ? [`${here.origin} without a path`] : []),
  ];
  return tries.length > 0
    ? `Check the server's URL: try ${tries.join(', or ')}.`
    : "Check the server's URL and any proxy in between.";
}

function bodyOf(type: string): string {
  if (type === '') return 'without a content type';
  return type === 'text/html' ? 'with a web page' : `with ${type}`;
}

/** The address without its query, which may hold a token. */
export function place(url: string): string {
  const here = absolute(url);
  return here ? here.origin + here.pathname : (url.split('?')[0] ?? url);
}

function absolute(url: string): URL | undefined {
  const page = globalThis.location?.href;
  return URL.canParse(url, page) ? new URL(url, page) : undefined;
}

/** The error for JSON that isn't a list where one is expected: it came from another server. */
export function noList(response: Response): UnexpectedAnswerError {
  return unexpectedAnswer(`${place(response.url)} responded without a list. ${advice(response.url)}`, response);
}

function unexpectedAnswer(message: string, response: Response): UnexpectedAnswerError {
  const answer = { status: response.status, contentType: typeOf(response) };
  return new UnexpectedAnswerError(message, answer, response.headers);
}

function problemIn(text: string): ProblemDetails | undefined {
  const value = parsed(text);
  return value !== null && typeof value === 'object' ? (value as ProblemDetails) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The whole response: parsed JSON, or text. Calls `onProgress` for each chunk that arrives.
 * @throws {ConnectionError} when it was cut off: a response with a body is never empty or partial.
 */
export async function readWhole(url: string, response: Response, onProgress: () => void): Promise<unknown> {
  if (response.status >= 300 || response.type === 'opaqueredirect') return undefined;
  const text = await textOf(response, onProgress);
  const broken = new ConnectionError(`The response from ${place(url)} was cut off.`, { headers: response.headers });
  if (text === '') throw broken;
  if (typeOf(response) !== JSON_TYPE) return text;
  const value = parsed(text);
  if (value === undefined) throw broken;
  return value;
}

async function textOf(response: Response, onProgress: () => void): Promise<string> {
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    onProgress();
    text += decoder.decode(value, { stream: true });
  }
}
