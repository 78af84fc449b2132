import { LRUCache } from 'lru-cache';
import { MINUTE, stopwatch } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import { inLane } from '#platform/work-context.ts';
import type { Sql } from '../database.ts';

/** Tenant tables are colocated, so that one of them answers for all. */
const WHERE = `
  select a.account, n.nodename || ':' || n.nodeport as machine
  from unnest($1::uuid[]) as a (account)
  join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('products', a.account)
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`;

/** Accounts that are looked up together. */
const MOST_AT_ONCE = 1000;

interface Dependencies {
  db: () => Sql;
  log: Logger;
}

/**
 * Knows which machine of a Citus cluster has an account, so that the accounts of a machine that hangs never hold all
 * connections. What moves meanwhile is counted for its old machine for some minutes.
 */
export class Places {
  readonly #deps: Dependencies;
  readonly #known = new LRUCache<string, string>({ max: 20_000, ttl: 5 * MINUTE });
  /** Where there is one alone, nothing is left to others. */
  readonly #machines = new Set<string>();
  readonly #wanted = new Set<string>();
  #asking = false;
  #notBefore = 0;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Undefined while it is not known, and the next call may get it; or where there is one machine. */
  of(account: string): string | undefined {
    const known = this.#known.get(account);
    if (known === undefined && this.#wanted.size < MOST_AT_ONCE) {
      this.#wanted.add(account);
      void this.#ask();
    }
    return this.#machines.size > 1 ? known : undefined;
  }

  async #ask(): Promise<void> {
    if (this.#asking || stopwatch() < this.#notBefore) return;
    this.#asking = true;
    try {
      while (this.#wanted.size > 0) await this.#find([...this.#wanted]);
    } catch (error) {
      // connections are divided by account alone meanwhile
      this.#notBefore = stopwatch() + MINUTE;
      this.#deps.log.warn({ err: error }, 'the machines of accounts are not known');
    } finally {
      this.#asking = false;
    }
  }

  async #find(accounts: readonly string[]): Promise<void> {
    this.#wanted.clear();
    const find = () => this.#deps.db().query<{ account: string; machine: string }>(WHERE, [accounts]);
    for (const { account, machine } of await inLane('probe', find)) {
      this.#known.set(account, machine);
      this.#machines.add(machine);
    }
  }
}
