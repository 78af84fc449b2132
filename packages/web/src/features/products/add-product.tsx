import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { describeError, showFieldErrors } from '#lib/errors.ts';
import { useAttemptKey, useOnce, useTitle } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { endSessionOn401 } from '#lib/query.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { ProductFields } from './product-fields.tsx';
import { blankProduct, formFields, formPaths, type ProductForm, productSchema, toRequest } from './product-schema.ts';
import { UploadGuard } from './upload-guard.tsx';
import { useProductUploads } from './use-product-uploads.ts';

interface Added {
  id: string;
  name: string;
  draft: boolean;
}

export function AddProduct() {
  useTitle('Add Product');
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const [running, setRunning] = useState<'submit' | 'draft' | null>(null);
  const [added, setAdded] = useState<Added | null>(null);
  const navigate = useNavigate();
  const attempt = useAttemptKey();
  const form = useForm<ProductForm>({ defaultValues: blankProduct, resolver: zodResolver(productSchema) });
  const { isDirty } = form.formState;
  const { uploads, waiting, setImageBusy } = useProductUploads(form);
  const closed = running !== null || waiting !== null;

  const send = useOnce(async (values: ProductForm, draft: boolean) => {
    setFailure(null);
    setRunning(draft ? 'draft' : 'submit');
    const body = { ...toRequest(values), is_draft: draft };
    try {
      const { id } = await api.createProduct({ body }, { idempotencyKey: attempt.keyFor(body) });
      attempt.answered();
      form.reset(blankProduct);
      setAdded({ id, name: values.name, draft });
      if (draft) notify.success('Saved as draft!');
      else {
        const toSerials = () => navigate({ to: '/dashboard/serials/generator', search: { product: id } });
        notify.next('Product submitted!', { label: 'Generate serials', onClick: toSerials });
      }
      window.scrollTo({ top: 0 });
      await refreshAfter(queryClient, 'productCreated');
    } catch (error) {
      endSessionOn401(error);
      attempt.answered(describeError(error).status ?? 0);
      if (!showFieldErrors(error, form.setError, formFields, formPaths)) setFailure(error);
      else notify.error('Submission failed.');
    } finally {
      setRunning(null);
    }
  });
  const submit = (draft: boolean) => form.handleSubmit((values) => send(values, draft));

  return (
    <>
      {added && !isDirty ? <Next added={added} /> : null}
      <form onSubmit={submit(false)} noValidate aria-label="Add Product" className="pt-2">
        <ProductFields form={form} uploads={uploads} onImageBusy={setImageBusy} />
        <div className="flex flex-col gap-4 border-t border-line pt-6 lg:pl-[260px]">
          <FormError title="Submission failed." error={failure} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={running === 'submit'} disabled={closed}>
              Submit
            </Button>
            <Button onClick={submit(true)} busy={running === 'draft'} disabled={closed}>
              Save as Draft
            </Button>
          </div>
          <p className="text-sm text-muted" aria-live="polite">
            {waiting ?? "A draft can't be redeemed until you publish it."}
          </p>
        </div>
      </form>
      <UnsavedGuard dirty={() => isDirty && !waiting && running === null} />
      <UploadGuard running={() => waiting !== null} />
    </>
  );
}

/** What comes after a product, for those who look up when its notice has gone. The form below is ready for another one. */
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
