/**
 * Look-ups of one key that arrive together share one, which begins after the last of them: each is as fresh as if it were
 * alone.
 */
export class SharedLookup<Value> {
  readonly #coming = new Map<string, Promise<Value>>();

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const coming = this.#coming.get(key);
    if (coming) return coming;
    const answer = new Promise<Value>((resolve) => {
      // by then, all requests that were waiting on their sockets have been read
      setImmediate(() => {
        this.#coming.delete(key);
        resolve(load());
      });
    });
    this.#coming.set(key, answer);
    return answer;
  }
}
