import type { Deps } from '../../packages/server/src/deps.ts';
import { PASSWORD } from './cast.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT';

/** Somebody with an account, who calls the API at the time that the clock shows. */
export class Person {
  readonly #deps: Deps;
  readonly #url: string;
  readonly #email: string;
  #token = '';
  #id = '';
  #month = '';

  constructor(deps: Deps, url: string, email: string) {
    this.#deps = deps;
    this.#url = url;
    this.#email = email;
  }

  async register(role: 'developer' | 'reseller', company: string): Promise<void> {
    await this.#deps.registration.register(
      role,
      { first_name: 'Ada', last_name: 'Row', email: this.#email, password: PASSWORD, company_name: company },
      null,
      { verified: true },
    );
  }

  /** Of the account. */
  async id(): Promise<string> {
    await this.#signedIn();
    return this.#id;
  }

  /** @throws {Error} with the server's answer when it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of many answers
  async call(method: Method, path: string, body?: object): Promise<any> {
    return this.#request(method, path, body, { authorization: `Bearer ${await this.#signedIn()}` });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of many answers
  async #request(method: Method, path: string, body: object | undefined, more: Record<string, string>): Promise<any> {
    const headers = { ...more, ...(body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(this.#url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  /** A session ends after a month in which nobody used it. */
  async #signedIn(): Promise<string> {
    const month = this.#deps.clock.now().toISOString().slice(0, 7);
    if (month !== this.#month) {
      const form = { email: this.#email, password: PASSWORD };
      const { token, user: account } = await this.#request('POST', '/api/auth/login', form, { 'user-agent': 'demo' });
      [this.#token, this.#id, this.#month] = [token, account.id, month];
    }
    return this.#token;
  }
}
