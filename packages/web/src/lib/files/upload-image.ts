import { uploadImage, uploadLogo } from '@tonerow/sdk/routes';
import type { Route } from '../route.ts';
import { formOf, upload } from './upload.ts';

interface SendOptions {
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/** Uploads an image and returns its URL. */
const sender = (route: Route<'uploadImage' | 'uploadLogo'>) => async (file: File, options: SendOptions) =>
  (await upload(route, formOf(file), options)).url;

/** Uploads the image of a product. */
export const sendImage = sender(uploadImage);
/** Uploads the logo of the account. */
export const sendLogo = sender(uploadLogo);
