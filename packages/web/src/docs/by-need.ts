/** An operation of the reference, as Scalar names it. */
interface Entry {
  method: string;
  path: string;
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The operations of a group in the order in which a reader needs them: the list, how to make one, what else there is of all, then one by
 * its id and what is done with it; and last what takes something away.
 */
export function byNeed(one: Entry, other: Entry): number {
  const [a, b] = [rankOf(one), rankOf(other)];
  const at = a.findIndex((rank, place) => rank !== b[place]);
  return at < 0 ? one.path.localeCompare(other.path) : (a[at] ?? 0) - (b[at] ?? 0);
}

function rankOf({ method, path }: Entry): number[] {
  const parts = path.split('/');
  const verb = method.toLowerCase();
  const takesAway = verb === 'delete' || /^(delete|remove|erase)\b/.test(parts.at(-1) ?? '');
  return [takesAway ? 1 : 0, path.includes('{') ? 1 : 0, parts.length, VERBS.indexOf(verb)];
}
