import type { Deps } from '../../packages/server/src/deps.ts';
import type { Principal } from '../../packages/server/src/platform/access/access.ts';
import { PASSWORD } from './cast.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT';

/** Somebody with an account, who calls the API at the time that the clock shows. */
export class Person {
  readonly #deps: Deps;
  readonly #url: string;
  readonly #email: string;
  #token = '';
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

  async principal(): Promise<Principal> {
    return (await this.#deps.sessions.authenticate(await this.#signedIn())) as Principal;
  }

  /** @throws {Error} with the server's answer when it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of many answers
  async call(method: Method, path: string, body?: object): Promise<any> {
    const headers = {
      authorization: `Bearer ${await this.#signedIn()}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const answer = await fetch(this.#url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  /** A session ends after a month in which nobody used it. */
  async #signedIn(): Promise<string> {
    const month = this.#deps.clock.now().toISOString().slice(0, 7);
    if (month !== this.#month) {
      const from = { userAgent: 'demo', ip: '127.0.0.1' };
      const { token } = await this.#deps.accounts.login({ email: this.#email, password: PASSWORD }, from);
      [this.#token, this.#month] = [token, month];
    }
    return this.#token;
  }
}
