import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy before PostgreSQL that loses the confirmation of a commit: the transaction is in the database, and the connection
 * breaks before anybody hears of it.
 */
export async function startCuttingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let fits: RegExp | undefined;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    const statements = new Statements();
    let losing = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (chunk) => {
      for (const text of statements.read(chunk)) {
        const ends = !statements.isOpen || /^\s*commit/i.test(text);
        if (!ends || !statements.transaction.some((each) => fits?.test(each))) continue;
        losing = true;
        fits = undefined;
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (!losing) return void client.write(chunk);
      // the database answers when the commit is done
      cuts += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    /** The next transaction with such a statement is committed, and its confirmation lost. */
    loseCommit(statement: RegExp): void {
      fits = statement;
    },
    /** How many confirmations were lost. */
    cuts: () => cuts,
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The statements in what a client sends to PostgreSQL, prepared ones included. */
class Statements {
  /** Those of the transaction, which is the statement itself outside of one. */
  transaction: string[] = [];
  isOpen = false;
  readonly #prepared = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  #started = false;

  read(chunk: Buffer): string[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const found: string[] = [];
    for (;;) {
      // the first message has no type
      const head = this.#started ? 1 : 0;
      if (this.#rest.length < head + 4) return found;
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) return found;
      const type = this.#started ? String.fromCharCode(this.#rest[0] as number) : '';
      const [first = '', second = ''] = this.#rest
        .subarray(head + 4, end)
        .toString('latin1')
        .split('\0');
      this.#rest = this.#rest.subarray(end);
      this.#started = true;
      if (type === 'P') this.#prepared.set(first, second);
      const text = type === 'Q' ? first : type === 'B' ? this.#prepared.get(second) : undefined;
      if (text === undefined) continue;
      found.push(text);
      if (/^\s*(begin|start transaction)/i.test(text)) this.isOpen = true;
      if (!this.isOpen || /^\s*begin/i.test(text)) this.transaction = [];
      this.transaction.push(text);
      if (/^\s*(commit|rollback(?! to))/i.test(text)) this.isOpen = false;
    }
  }
}
