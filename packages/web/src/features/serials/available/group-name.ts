import type { AvailableSerials, Serial } from '#lib/types.ts';

export interface GroupRef {
  name: string;
  kind: 'regular' | 'promo';
  productId: string;
}

interface Group extends GroupRef {
  /** Its product, when another group has the same name. */
  of: string | null;
  count: number;
  serials: Serial[];
}

/** The groups, distinguished even where promos of two products share a name. */
export function groupsOf(data: AvailableSerials): Group[] {
  return data.groups.map(({ name, kind, product_id, product_name, count }) => {
    const serials = kind === 'promo' ? data.promos[name]?.serials : data.regular[name];
    return {
      name,
      kind,
      productId: product_id,
      of: data.groups.filter((each) => each.name === name && each.kind === kind).length > 1 ? product_name : null,
      count,
      serials: (serials ?? []).filter((serial) => serial.product_id === product_id),
    };
  });
}

/** The input of the calls about one group. */
export function groupInput({ name, kind, productId }: GroupRef) {
  return { path: { groupName: name }, query: { kind, product_id: productId } };
}
