import { AppError, type ErrorCode } from '#platform/errors.ts';

/** Somebody who has the code of a serial could not redeem it. */
export interface RefusedRedemption {
  developerId: string;
  serialId: string;
  productId: string;
  /** The answer to the redemption page. */
  code: ErrorCode;
}

interface Asked {
  developer_id: string;
  id: string;
  product_id: string;
}

/** Lets the feature that shows refusals to developers, which is created later, hear of those of the redemption page. */
export class RefusedRedemptions {
  #note: ((refused: RefusedRedemption) => void) | undefined;

  use(note: (refused: RefusedRedemption) => void): void {
    this.#note = note;
  }

  /** Runs what a redemption does with a serial that exists, and passes on its refusal. */
  async noted<Answer>(serial: Asked, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { developer_id: developerId, id: serialId, product_id: productId } = serial;
        this.#note?.({ developerId, serialId, productId, code: error.code });
      }
      throw error;
    }
  }
}
