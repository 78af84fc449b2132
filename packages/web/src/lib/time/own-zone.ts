/** The time zone of the signed-in account. It is not in zone.ts, because it belongs to the first download. */
let own: string | null = null;

/** Called by the session, which knows who is signed in. */
export function setOwnZone(zone: string | null): void {
  own = zone;
}

export const ownZone = (): string | null => own;
