import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { importQuery, keepImport, readImportAgain } from '#lib/queries/imports.ts';
import type { BodyOf } from '#lib/route.ts';
import type { ImportPlan } from '#lib/types.ts';
import { notify } from '#ui/toast.ts';

type Body = Omit<BodyOf<'changeImport'>, 'revision'>;

/**
 * The change that answers a question, or takes the answer back if the value is null. Some answers have a place of their
 * own; others are a value of all lines.
 */
export function answerOf({ answers }: Pick<ImportPlan, 'answers'>, id: string, value: string | null): Body {
  const named = Object.fromEntries([[id, value]]);
  return id in answers ? { answers: named as NonNullable<Body['answers']> } : { values: named };
}

/**
 * Changes how the file is understood. Changes of one import wait for each other, and each one names the revision that it has seen, so
 * that two windows don't overwrite each other.
 */
export function useChange(id: string) {
  const queryClient = useQueryClient();
  const { queryKey } = importQuery(id);
  return useMutation({
    scope: { id: `import ${id}` },
    mutationFn: (body: Body) => {
      const revision = queryClient.getQueryData(queryKey)?.plan?.revision;
      return api.changeImport({ path: { id }, body: { ...body, ...(revision === undefined ? {} : { revision }) } });
    },
    onSuccess: (next) => keepImport(queryClient, next),
    onError: (error) => {
      notify.error("This couldn't be changed.", error);
      readImportAgain(queryClient, id);
    },
  });
}

/** Tries the whole file; nothing of it is kept. */
export function useCheck(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: `import ${id}` },
    mutationFn: () => api.checkImport({ path: { id } }),
    onSuccess: (next) => keepImport(queryClient, next),
  });
}

/** Adds a product as the file calls it, and checks the file again. */
export function useMissingProduct(id: string, name: string) {
  const queryClient = useQueryClient();
  const check = useCheck(id);
  return useMutation({
    mutationFn: () => api.createProduct({ body: { name } }),
    onSuccess: () => {
      notify.success(`“${name}” was added, without a price and files.`);
      check.mutate();
      return refreshAfter(queryClient, 'productCreated');
    },
    onError: (error) => notify.error(`“${name}” couldn't be added.`, error),
  });
}

/** Lets it begin. It goes on without this page. */
export function useRun(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.runImport({ path: { id } }),
    onSuccess: (next) => {
      keepImport(queryClient, next);
      return refreshAfter(queryClient, 'importChanged');
    },
  });
}
