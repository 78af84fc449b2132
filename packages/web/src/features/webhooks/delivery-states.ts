import { listWebhookDeliveriesState } from '@tonerow/sdk/values';
import { oneOf, text } from '#lib/navigation/search-params.ts';

/** Apart from their words, which only the screens need. */
export const deliveryStates = listWebhookDeliveriesState;
export type DeliveryState = (typeof deliveryStates)[number];

/** The parameters that the page of an endpoint keeps in its address. */
export const deliverySearch = { state: oneOf(deliveryStates), type: text };
