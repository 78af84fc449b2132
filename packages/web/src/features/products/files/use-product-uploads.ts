import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { plural } from '#lib/format/format.ts';
import type { ProductForm } from '../product-schema.ts';
import { useUploads } from './use-uploads.ts';

/** The uploads of a product's form. A complete file becomes a row of the form; until then the form waits. */
export function useProductUploads(form: UseFormReturn<ProductForm>) {
  const [imageBusy, setImageBusy] = useState(false);
  const uploads = useUploads(({ name, url }) => {
    form.setValue('files', [...form.getValues('files'), { name: withoutEnding(name), url }], { shouldDirty: true });
  });
  const open = uploads.items.length;
  const waiting = open
    ? `${plural(open, 'upload')} ${open === 1 ? 'is' : 'are'} not finished. Wait, or cancel ${open === 1 ? 'it' : 'them'}.`
    : imageBusy
      ? 'The image is still uploading.'
      : null;
  return { uploads, waiting, setImageBusy };
}

/** `Prism Delay 1.2 (macOS).pkg` is labeled without its extension. */
function withoutEnding(name: string): string {
  return name.replace(/(?<=.)(\.tar)?\.[a-z0-9]{1,5}$/i, '');
}
