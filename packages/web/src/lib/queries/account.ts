import { queryOptions } from '@tanstack/react-query';
import type { FirstSteps } from '../types.ts';
import { q } from './operation.ts';

export const meQuery = queryOptions({
  ...q('getMe'),
  staleTime: 60_000,
});

export const planQuery = queryOptions({
  ...q('getMyPlan'),
  staleTime: 60_000,
});

export const settingsQuery = q('getAccountSettings');

/** This month's redemptions, refreshed by live events. */
export const usageQuery = queryOptions({
  ...q('getMyUsage'),
  staleTime: 60_000,
});

export const plansQuery = queryOptions({
  ...q('listPlans'),
  staleTime: 600_000,
});

/** The checklist of a new account. */
export const firstStepsQuery = queryOptions({
  ...q('getFirstSteps'),
  // steps are taken on other screens, and in the terminal
  staleTime: 0,
});

/** The steps while the checklist is of use; null: all are done, it was put away, or it is not known. */
export function openSteps(progress: FirstSteps | undefined): FirstSteps['steps'] | null {
  if (!progress || progress.hidden) return null;
  return progress.steps.every((each) => each.done) ? null : progress.steps;
}

/** These figures change with every sale, so they are fetched each time that the question opens. */
export const deletionQuery = queryOptions({
  ...q('getAccountDeletion'),
  staleTime: 0,
  gcTime: 0,
});
