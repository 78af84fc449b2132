import type { Noun } from '#define/command.ts';
import { productsAddVersion } from './add-version.ts';
import { productsAnnounceVersion } from './announce-version.ts';
import { productsChoices } from './choices.ts';
import { productsCreate } from './create.ts';
import { productsDelete } from './delete.ts';
import { productsDeleteVersion } from './delete-version.ts';
import { productsExport } from './export.ts';
import { productsGet } from './get.ts';
import { productsList } from './list.ts';
import { productsPublish } from './publish.ts';
import { productsRotateExpansionSecret } from './rotate-expansion-secret.ts';
import { productsRsa } from './rsa.ts';
import { productsShow } from './show.ts';
import { productsUnlock } from './unlock.ts';
import { productsUnlocks } from './unlocks.ts';
import { productsUpdate } from './update.ts';
import { productsUseVersion } from './use-version.ts';
import { productsVersions } from './versions.ts';

export const products: Noun = {
  name: 'products',
  about: 'Create, update, publish and delete products',
  commands: [
    productsList,
    productsGet,
    productsShow,
    productsChoices,
    productsExport,
    productsCreate,
    productsUpdate,
    productsPublish,
    productsDelete,
    productsRsa,
    productsRotateExpansionSecret,
    productsUnlock,
    productsUnlocks,
    productsVersions,
    productsAddVersion,
    productsUseVersion,
    productsAnnounceVersion,
    productsDeleteVersion,
  ],
};
