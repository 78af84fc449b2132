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

  /** The account's id. */
  async id(): Promise<string> {
    await this.#signedIn();
    return this.#id;
  }

  /** @throws {Error} with the server's answer when it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of many answers
  async call(method: Method, path: string, body?: object): Promise<any> {
    const asked = async () => this.#ask(method, path, body, { authorization: `Bearer ${await this.#signedIn()}` });
    let answer = await asked();
    // the running server deletes what has expired at its own time, which is later than the clock here: sessions, too
    if (answer.status === 401) {
      this.#month = '';
      answer = await asked();
    }
    return this.#read(answer, `${method} ${path}`);
  }

  #ask(method: Method, path: string, body: object | undefined, more: Record<string, string>): Promise<Response> {
    const headers = { ...more, ...(body ? { 'content-type': 'application/json' } : {}) };
    return fetch(this.#url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of many answers
  async #read(answer: Response, what: string): Promise<any> {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${what}: ${text}`);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  /** A session ends after a month in which nobody used it. */
  async #signedIn(): Promise<string> {
    const month = this.#deps.clock.now().toISOString().slice(0, 7);
    if (month !== this.#month) {
      const form = { email: this.#email, password: PASSWORD };
      const answer = await this.#ask('POST', '/api/auth/login', form, { 'user-agent': 'demo' });
      const { token, user: account } = await this.#read(answer, 'POST /api/auth/login');
      [this.#token, this.#id, this.#month] = [token, account.id, month];
    }
    return this.#token;
  }
}
