const EVERY = 10_000;

/** How far a long restore is, a line every ten seconds. */
export class Progress {
  readonly #timer: NodeJS.Timeout;
  #words: () => string = () => '';

  constructor(report: (line: string) => void, every = EVERY) {
    this.#timer = setInterval(() => {
      const line = this.#words();
      if (line !== '') report(line);
    }, every);
    this.#timer.unref();
  }

  /** Sets what is being done from now on. The words are read whenever a line is due. */
  now(words: () => string): void {
    this.#words = words;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
