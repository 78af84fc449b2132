/** The time zone of whoever is signed in. Apart from zone.ts, because it is in the first download. */
let own: string | null = null;

/** By the session, which knows who is signed in. */
export function setOwnZone(zone: string | null): void {
  own = zone;
}

export const ownZone = (): string | null => own;
