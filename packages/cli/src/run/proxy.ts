import { BlockList, isIP } from 'node:net';
import { UsageError } from '#exit.ts';
import type { Io } from '#io.ts';

export interface ChosenProxy {
  /** The address with its name and password, if it has some. */
  address: string;
  /** The address without them, for messages. */
  origin: string;
  /** The setting that names it. */
  source: string;
}

/**
 * The proxy for a server, as curl, git and the clients in Go choose it: HTTPS_PROXY or HTTP_PROXY, except for what NO_PROXY names and
 * for this machine.
 * @throws {UsageError} for a setting that is not the address of one.
 */
export function proxyFor(server: string, env: Io['env']): ChosenProxy | undefined {
  const { protocol, hostname, port } = new URL(server);
  const source = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const given = settingOf(env, source)?.trim();
  if (!given) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const exempt = settingOf(env, 'NO_PROXY') ?? '';
  if (isLoopback(host) || isExempt(host, port || (protocol === 'https:' ? '443' : '80'), exempt)) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(address) || !/^https?:\/\//i.test(address))
    throw new UsageError(`${source} is not the URL of a proxy. Use one such as http://proxy.example.com:3128.`);
  return { address, origin: new URL(address).origin, source };
}

/** The setting in lower case wins, because older programs want it like that. */
function settingOf(env: Io['env'], name: string): string | undefined {
  return env[name.toLowerCase()] || env[name];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127\.[\d.]+$/.test(host) || host === '::1';
}

/**
 * Whether a list exempts a host: by a name and those under it, an address or a network, each with a port or without, or
 * `*` for all.
 */
function isExempt(host: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(host, entry);
      const [, name = entry, only] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      if (only !== undefined && only !== port) return false;
      const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
      return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
    });
}

/** Whether an address is in a network such as `10.0.0.0/8`. */
function isWithin(host: string, network: string): boolean {
  const [first = '', bits] = network.split('/');
  const [of, its] = [isIP(first), isIP(host)];
  const width = Number(bits);
  if (of === 0 || its !== of || !Number.isInteger(width) || width > (of === 6 ? 128 : 32)) return false;
  const family = of === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(first, width, family);
  return list.check(host, family);
}
