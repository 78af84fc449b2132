import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Plan } from '#lib/types.ts';

/** Whether the other plan gives less: a lower fee, or of equals a smaller quota. */
const isDowngrade = (from: Plan, to: Plan) =>
  to.price_cents < from.price_cents ||
  (to.price_cents === from.price_cents && to.redemption_quota < from.redemption_quota);

/** Switching plans: at once, or after a question when the other plan gives less. */
export function usePlanSwitch() {
  const queryClient = useQueryClient();
  const [question, setQuestion] = useState<Plan | null>(null);
  const [updated, setUpdated] = useState<string | null>(null);
  const preview = useMutation({
    mutationFn: (plan: Plan) => api.subscribe({ body: { plan_id: plan.id, dry_run: true } }),
  });
  const change = useMutation({
    mutationFn: (plan: Plan) => api.subscribe({ body: { plan_id: plan.id } }),
    onMutate: () => setUpdated(null),
    onSuccess: async (_switch, plan) => {
      await refreshAfter(queryClient, 'planSwitched');
      setUpdated(plan.id);
    },
    onSettled: () => setQuestion(null),
  });
  return {
    /** The plan that is being switched to. */
    switching: change.isPending ? change.variables.id : null,
    /** The plan that was just switched to. */
    updated,
    error: change.error,
    /** The plan that it could not be switched to. */
    failed: change.isError ? change.variables.id : null,
    /** The plan that a person is asked about. */
    question,
    /** The effects of switching to it. */
    meaning: preview.data,
    doubt: preview.error,
    ask: (from: Plan, to: Plan) => {
      change.reset();
      preview.reset();
      if (!isDowngrade(from, to)) return change.mutate(to);
      setQuestion(to);
      preview.mutate(to);
    },
    confirm: () => {
      if (question) change.mutate(question);
    },
    cancel: () => setQuestion(null),
  };
}

export type PlanSwitching = ReturnType<typeof usePlanSwitch>;
