import type { Noun } from '#define/command.ts';
import { filesDelete } from './delete.ts';
import { filesDownload } from './download.ts';
import { filesImage } from './image.ts';
import { filesList } from './list.ts';
import { filesUpload } from './upload.ts';

export const files: Noun = {
  name: 'files',
  about: 'Upload product files and images',
  commands: [filesUpload, filesList, filesDownload, filesDelete, filesImage],
};
