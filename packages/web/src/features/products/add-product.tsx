import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type BaseSyntheticEvent, useRef, useState } from 'react';
import { api } from '#lib/api.ts';
import { useAttempt, useTitle } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { UploadGuard } from './files/upload-guard.tsx';
import { useProductUploads } from './files/use-product-uploads.ts';
import { ProductFields } from './product-fields.tsx';
import { blankProduct, formPaths, type ProductForm, productSchema, toRequest } from './product-schema.ts';

interface Added {
  id: string;
  name: string;
  draft: boolean;
}

export function AddProduct() {
  useTitle('Add Product');
  const queryClient = useQueryClient();
  const [added, setAdded] = useState<Added | null>(null);
  const navigate = useNavigate();
  const attempt = useAttempt();
  const draft = useRef(false);
  const form = useSavedForm<ProductForm, { id: string }>({
    values: blankProduct,
    resolver: zodResolver(productSchema),
    rename: formPaths,
    onFields: () => notify.error('Submission failed.'),
    save: (values) => {
      const body = { ...toRequest(values), is_draft: draft.current };
      return attempt(body, (idempotencyKey) => api.createProduct({ body }, { idempotencyKey }));
    },
    onSaved: ({ id }, { name }) => {
      form.reset(blankProduct);
      setAdded({ id, name, draft: draft.current });
      if (draft.current) notify.success('Saved as draft!');
      else {
        const toSerials = () => navigate({ to: '/dashboard/serials/generator', search: { product: id } });
        notify.next('Product submitted!', { label: 'Generate serials', onClick: toSerials });
      }
      window.scrollTo({ top: 0 });
      return refreshAfter(queryClient, 'productCreated');
    },
  });
  const { isDirty } = form.formState;
  const { uploads, waiting, setImageBusy } = useProductUploads(form);
  const closed = form.busy || waiting !== null;
  const submit = (as: boolean) => (event: BaseSyntheticEvent) => {
    draft.current = as;
    form.frame.onSubmit(event);
  };

  return (
    <>
      {added && !isDirty ? <Next added={added} /> : null}
      <form {...form.frame} onSubmit={submit(false)} aria-label="Add Product" className="pt-2">
        <ProductFields form={form} uploads={uploads} onImageBusy={setImageBusy} />
        <div className="flex flex-col gap-4 border-t border-line pt-6 lg:pl-[260px]">
          <FormError title="Submission failed." error={form.failure} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={form.busy && !draft.current} disabled={closed}>
              Submit
            </Button>
            <Button onClick={submit(true)} busy={form.busy && draft.current} disabled={closed}>
              Save as Draft
            </Button>
          </div>
          <p className="text-sm text-muted" aria-live="polite">
            {waiting ?? "A draft can't be redeemed until you publish it."}
          </p>
        </div>
      </form>
      <UnsavedGuard dirty={() => isDirty && !waiting && !form.busy} />
      <UploadGuard running={() => waiting !== null} />
    </>
  );
}

/**
 * The next steps after a product was added, for people who look up after its notice has gone. The form below is ready
 * for another one.
 */
function Next({ added: { id, name, draft } }: { added: Added }) {
  return (
    <div className="mb-4">
      <Notice tone="plain">
        <span className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <span className="min-w-0 wrap-anywhere">
            <strong className="font-semibold">
              <bdi>{name}</bdi>
            </strong>{' '}
            {draft ? 'is kept as a draft.' : 'is submitted. Its serials come next.'}
          </span>
          <span className="flex flex-wrap gap-2">
            {draft ? null : (
              <LinkButton size="sm" to="/dashboard/serials/generator" search={{ product: id }}>
                Generate its serials
              </LinkButton>
            )}
            <LinkButton size="sm" to="/dashboard/products/$productId" params={{ productId: id }}>
              Open the product
            </LinkButton>
          </span>
        </span>
      </Notice>
    </div>
  );
}
