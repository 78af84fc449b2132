import type { Noun } from '#define/command.ts';
import { stockDownload } from './download.ts';
import { stockDownloads } from './downloads.ts';

export const stock: Noun = {
  name: 'stock',
  about: 'Files of the serials you can sell',
  commands: [stockDownload, stockDownloads],
};
