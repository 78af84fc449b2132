import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { productQuery } from '#lib/queries/products.ts';
import type { Product } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { PageHeader, Section } from '#ui/page.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { CollisionNotice } from './collision-notice.tsx';
import { DeleteProduct } from './delete-product.tsx';
import { UploadGuard } from './files/upload-guard.tsx';
import { useProductUploads } from './files/use-product-uploads.ts';
import { type Collision, mergeProduct } from './merge.ts';
import { ProductFields } from './product-fields.tsx';
import { formPaths, fromProduct, type ProductForm, productSchema, toRequest } from './product-schema.ts';
import { ProductState } from './product-state.tsx';
import { ProductTabs } from './product-tabs.tsx';

export function EditForm({ product }: { product: Product }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  // The version this form was filled from: a save must not overwrite what somebody else saved since.
  const [base, setBase] = useState(product);
  // The fields that both people changed, after merging a newer version. Null until a merge.
  const [collisions, setCollisions] = useState<Collision[] | null>(null);
  const path = { id: product.id };
  const accept = (next: Product) => {
    setBase(next);
    queryClient.setQueryData(productQuery(product.id).queryKey, next);
    return refreshAfter(queryClient, 'productSaved');
  };
  const form = useSavedForm<ProductForm, Product>({
    values: fromProduct(product),
    resolver: zodResolver(productSchema),
    rename: formPaths,
    onFields: () => notify.error('Failed to update product.'),
    save: (values) => api.updateProduct({ path, body: { ...toRequest(values), version: base.version } }),
    onSaved: (next) => {
      form.reset(fromProduct(next));
      setCollisions(null);
      notify.success('Product updated!');
      return accept(next);
    },
  });
  const publish = useMutation({
    mutationFn: () => api.publishProduct({ path }),
    onSuccess: (next) => {
      const toSerials = () => navigate({ to: '/dashboard/serials/generator', search: { product: product.id } });
      notify.next('Product submitted!', { label: 'Generate serials', onClick: toSerials });
      return accept(next);
    },
    onError: (error) => notify.error('Submission failed.', error),
  });
  const reload = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...productQuery(product.id), staleTime: 0 }),
    onSuccess: (next) => {
      const stored = fromProduct(next);
      const merged = mergeProduct(fromProduct(base), form.getValues(), stored);
      setBase(next);
      form.reset(stored);
      form.reset({ ...stored, ...merged.typedChanges }, { keepDefaultValues: true });
      setCollisions(merged.collisions);
      form.forget();
    },
    onError: (error) => notify.error("The newer version couldn't be loaded.", error),
  });
  const { isDirty } = form.formState;
  const { uploads, waiting, setImageBusy } = useProductUploads(form);
  const running = form.busy || publish.isPending || reload.isPending;
  const stale = describeError(form.failure).code === 'stale_version';

  const take = ({ field }: Collision) => {
    form.reset({ ...form.getValues(), [field]: fromProduct(base)[field] }, { keepDefaultValues: true });
    setCollisions((all) => all?.filter((other) => other.field !== field) ?? null);
  };

  const discard = () => {
    form.reset(fromProduct(base));
    setCollisions(null);
  };

  return (
    <>
      <PageHeader
        title={base.name}
        actions={
          <>
            <LinkButton to="/dashboard/serials/generator" search={{ product: product.id }}>
              Generate serials
            </LinkButton>
            {base.is_draft ? (
              <Button
                variant="primary"
                onClick={() => publish.mutate()}
                busy={publish.isPending}
                disabled={isDirty || running}
              >
                Publish
              </Button>
            ) : null}
          </>
        }
      >
        <span className="figures inline-flex flex-wrap items-center gap-x-3 gap-y-1">
          <ProductState product={base} />
          {plural(base.serials_available, 'serial')} available
        </span>
      </PageHeader>
      <ProductTabs id={product.id} />
      {base.is_draft ? (
        <div className="mb-8">
          <Notice tone="plain">
            A draft can't be redeemed, sold or seen by resellers.{' '}
            {isDirty ? 'Save your changes, then publish it.' : 'Publish it when it is ready.'}
          </Notice>
        </div>
      ) : null}
      <form {...form.frame}>
        <ProductFields form={form} uploads={uploads} onImageBusy={setImageBusy} />
        <div
          className={cn(
            'flex flex-col gap-4 border-t border-line lg:pl-[260px]',
            isDirty ? 'sticky bottom-0 z-10 bg-canvas py-4' : 'py-6',
          )}
        >
          {stale ? (
            <Notice tone="warn">
              <strong className="font-semibold">Somebody else changed this product while you were editing it.</strong>{' '}
              Nothing has been saved yet. Load the newer version: your edits stay in the form.
            </Notice>
          ) : (
            <FormError title="Failed to update product." error={form.failure} />
          )}
          {collisions && !stale ? <CollisionNotice collisions={collisions} onTake={take} /> : null}
          <div className="flex flex-wrap gap-2">
            {stale ? (
              <Button variant="primary" onClick={() => reload.mutate()} busy={reload.isPending}>
                Load the newer version
              </Button>
            ) : (
              <Button
                type="submit"
                variant="primary"
                busy={form.busy}
                disabled={running || waiting !== null || !isDirty}
              >
                Save Changes
              </Button>
            )}
            {isDirty && !stale ? (
              <Button variant="ghost" onClick={discard} disabled={running}>
                Discard changes
              </Button>
            ) : null}
          </div>
          <p className="text-sm text-muted empty:hidden" aria-live="polite">
            {waiting}
          </p>
        </div>
      </form>
      <Section title="Delete" hint="Permanently, along with its unredeemed serials." className="first:border-t">
        <DeleteProduct product={base} onLeave={() => setLeaving(true)} />
      </Section>
      <UnsavedGuard dirty={() => isDirty && !waiting && !running && !leaving} />
      <UploadGuard running={() => waiting !== null && !leaving} />
    </>
  );
}
