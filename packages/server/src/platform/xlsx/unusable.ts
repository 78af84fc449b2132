import { AppError } from '../errors.ts';

/** A workbook that cannot be read. One that was refused in words before keeps these. */
export function notAWorkbook(message: string, cause?: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError('csv_unusable', message, { cause });
}
