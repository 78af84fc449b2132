import { z } from 'zod';
import { DownloadToken } from '../downloads/downloads.schemas.ts';
import { Code } from '../redeem/redeem.schemas.ts';

const EMPTY = 'Write what you need help with.';

export const RequestHelpBody = z
  .strictObject({
    download_token: DownloadToken.describe('From a redemption or an email; it must open the serial.'),
    serial: Code,
    message: z
      .string(EMPTY)
      .trim()
      .min(1, EMPTY)
      .max(2000, 'Use at most 2,000 characters.')
      .describe('What the developer reads. They answer by email.'),
  })
  .meta({ id: 'RequestHelp' });
