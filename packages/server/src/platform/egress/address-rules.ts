import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { parseAddress } from '../network/addresses.ts';

/** Public by number, and internal all the same: the metadata service of Azure. */
const INTERNAL = networksOf(['168.63.129.16/32']);

/** All that anybody was ever given of version 6; what is outside is nobody's, or this machine's in an old notation. */
const GIVEN = networksOf(['2000::/3']);

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Which addresses a request may go to. */
export class AddressRules {
  readonly #allow: readonly Network[];

  /** @param allow networks that may be reached although they are private, as CIDR. */
  constructor(allow: readonly string[] = []) {
    this.#allow = networksOf(allow);
  }

  /** Whether anything private may be reached. */
  get opened(): boolean {
    return this.#allow.length > 0;
  }

  /** Whether the operator has opened the network that an address is in. */
  isOpened(address: string): boolean {
    return isIn(address, this.#allow);
  }

  /** Whether an address is public: neither of a private or reserved network, nor one of this machine. */
  isPublic(address: string): boolean {
    const parsed = parseAddress(address);
    if (parsed === null || parsed.range() !== 'unicast') return false;
    if (parsed instanceof ipaddr.IPv6 && !isIn(address, GIVEN)) return false;
    return !isIn(address, INTERNAL) && !isOwn(address);
  }
}

function networksOf(ranges: readonly string[]): Network[] {
  return ranges.map((range) => ipaddr.parseCIDR(range));
}

function isIn(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return networks.some(([range, bits]) => {
    if (parsed instanceof ipaddr.IPv4) return range instanceof ipaddr.IPv4 && parsed.match([range, bits]);
    return range instanceof ipaddr.IPv6 && parsed.match([range, bits]);
  });
}

function isOwn(address: string): boolean {
  const text = parseAddress(address)?.toString();
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .some((each) => parseAddress(each.address)?.toString() === text);
}
