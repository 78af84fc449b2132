import { jobKind } from '#platform/jobs/job.ts';

/** Takes a card from its customer, so that nobody can charge it any more. */
export const removeCardJob = jobKind<{ cardId: string }>({
  name: 'remove-card',
  retryLimit: 20,
  retryDelay: 30,
  expireInSeconds: 120,
});
