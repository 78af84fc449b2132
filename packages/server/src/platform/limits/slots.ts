/**
 * Holds what is under way: members that come and go with every request. A Set or Map is not fit for that, because each
 * table that it outgrows keeps the members of that moment alive, with all they refer to, until the next full garbage
 * collection.
 * @example const remove = underWay.add(exchange);
 */
export class Slots<Member extends object> {
  readonly #slots: (Member | undefined)[] = [];
  readonly #free: number[] = [];

  /** @returns takes the member out again, once. */
  add(member: Member): () => void {
    const at = this.#free.pop() ?? this.#slots.length;
    this.#slots[at] = member;
    return () => {
      if (this.#slots[at] !== member) return;
      this.#slots[at] = undefined;
      this.#free.push(at);
    };
  }

  /** Yields the members in no order. Members may be taken out meanwhile. */
  *[Symbol.iterator](): Generator<Member> {
    for (const member of this.#slots) if (member) yield member;
  }
}
