import { createProductOn_loss } from '@tonerow/sdk/values';
import { amount, choice, number, text, texts, type ValuesOf } from '#define/option-types.ts';
import { asFields } from '#input/as-fields.ts';

export const fields = {
  shortDesc: text('<text>', 'one-line description'),
  longDesc: text('<text>', 'full description'),
  installHelp: text('<text>', 'how to install it, shown to customers below their files'),
  price: amount('<amount>', 'dollars, or "none"'),
  salePrice: amount('<amount>', 'dollars, or "none"'),
  seats: number('<n>', 'machines a serial can be activated on'),
  offlineDays: number('<n>', 'days a plugin works without a network connection'),
  leaseDays: number('<n>', 'days a license file holds a seat for an offline machine'),
  trialDays: number('<n>', 'days of trial, 0 for none'),
  onLoss: choice('<what>', 'when its license is lost amid a session: finish it, bypass or mute the sound', {
    values: createProductOn_loss,
  }),
  juceProductId: text('<text>', 'what its stock JUCE plugin returns from getProductID(); "" for the name'),
};

export const repeatable = {
  feature: texts('<text>', 'a line of the feature list'),
  file: texts('<label=url>', 'a file to download: Label=https://…'),
};

export function formOf({ seats, feature, file, ...entered }: ValuesOf<typeof fields & typeof repeatable>) {
  return {
    ...asFields(entered),
    max_activations: seats,
    ...(feature.length > 0 ? { feature_list: feature } : {}),
    ...(file.length > 0 ? { file_urls: file.map(fileOf) } : {}),
  };
}

/** `Label=https://…`, or the address alone. */
function fileOf(text: string): { name: string; url: string } {
  const match = /^([^=:/]*)=(.+)$/s.exec(text);
  return match ? { name: match[1] as string, url: match[2] as string } : { name: '', url: text };
}
