import type { Counter } from 'prom-client';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { RedeemSerialInput } from './redeem-serial.ts';

type Source = RedeemSerialInput['source'];

/** Counts redeemed serials, after their redemption has committed. */
export class RedemptionFigures {
  readonly #redemptions: Counter<'source'>;

  constructor({ metrics }: { metrics: Metrics }) {
    this.#redemptions = metrics.counter({
      name: 'tonerow_redemptions_total',
      help: 'Serials redeemed: on the redemption page (redeem) or by a first activation (activation)',
      labelNames: ['source'],
    });
    // a series that begins with its first event has no rate for it
    for (const source of ['redeem', 'activation'] satisfies Source[]) this.#redemptions.inc({ source }, 0);
  }

  redeemed(source: Source): void {
    this.#redemptions.inc({ source });
  }
}
