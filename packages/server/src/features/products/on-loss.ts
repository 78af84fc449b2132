/** What a plugin does with its sound when its license is lost while it runs; `finish`: nothing until it is closed. */
export const ON_LOSS = ['finish', 'bypass', 'mute'] as const;
export type OnLoss = (typeof ON_LOSS)[number];
