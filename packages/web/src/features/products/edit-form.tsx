import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { describeError, showFieldErrors } from '#lib/errors.ts';
import { plural } from '#lib/format/format.ts';
import { useOnce } from '#lib/hooks.ts';
import { productQuery } from '#lib/queries/products.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { Product } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { PageHeader, Section } from '#ui/page.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { CollisionNotice } from './collision-notice.tsx';
import { DeleteProduct } from './delete-product.tsx';
import { type Collision, mergeProduct } from './merge.ts';
import { ProductFields } from './product-fields.tsx';
import { formFields, formPaths, fromProduct, type ProductForm, productSchema, toRequest } from './product-schema.ts';
import { ProductState } from './product-state.tsx';
import { ProductTabs } from './product-tabs.tsx';
import { UploadGuard } from './upload-guard.tsx';
import { useProductUploads } from './use-product-uploads.ts';

export function EditForm({ product }: { product: Product }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  const [running, setRunning] = useState<'save' | 'publish' | 'reload' | null>(null);
  const [leaving, setLeaving] = useState(false);
  // The version this form was filled from: a save must not overwrite what somebody else saved since.
  const [base, setBase] = useState(product);
  const form = useForm<ProductForm>({ defaultValues: fromProduct(product), resolver: zodResolver(productSchema) });
  const { isDirty } = form.formState;
  const { uploads, waiting, setImageBusy } = useProductUploads(form);
  // The fields that both people changed, after merging a newer version. Null until a merge.
  const [collisions, setCollisions] = useState<Collision[] | null>(null);
  const stale = describeError(failure).code === 'stale_version';

  const accept = async (next: Product) => {
    setBase(next);
    queryClient.setQueryData(productQuery(product.id).queryKey, next);
    await refreshAfter(queryClient, 'productSaved');
  };

  const save = useOnce(async (values: ProductForm) => {
    setFailure(null);
    setRunning('save');
    try {
      const next = await api.updateProduct({
        path: { id: product.id },
        body: { ...toRequest(values), version: base.version },
      });
      form.reset(fromProduct(next));
      setCollisions(null);
      await accept(next);
      notify.success('Product updated!');
    } catch (error) {
      endSessionOn401(error);
      if (!showFieldErrors(error, form.setError, formFields, formPaths)) setFailure(error);
      else notify.error('Failed to update product.');
    } finally {
      setRunning(null);
    }
  });

  const publish = useOnce(async () => {
    setRunning('publish');
    try {
      await accept(await api.publishProduct({ path: { id: product.id } }));
      const toSerials = () => navigate({ to: '/dashboard/serials/generator', search: { product: product.id } });
      notify.next('Product submitted!', { label: 'Generate serials', onClick: toSerials });
    } catch (error) {
      endSessionOn401(error);
      notify.error('Submission failed.', error);
    } finally {
      setRunning(null);
    }
  });

  const reload = useOnce(async () => {
    setRunning('reload');
    try {
      const next = await queryClient.fetchQuery({ ...productQuery(product.id), staleTime: 0 });
      const theirs = fromProduct(next);
      const merged = mergeProduct(fromProduct(base), form.getValues(), theirs);
      setBase(next);
      form.reset(theirs);
      form.reset({ ...theirs, ...merged.mine }, { keepDefaultValues: true });
      setCollisions(merged.collisions);
      setFailure(null);
    } catch (error) {
      setFailure(error);
    } finally {
      setRunning(null);
    }
  });

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
                onClick={publish}
                busy={running === 'publish'}
                disabled={isDirty || running !== null}
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
      <form onSubmit={form.handleSubmit(save)} noValidate>
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
            <FormError title="Failed to update product." error={failure} />
          )}
          {collisions && !stale ? <CollisionNotice collisions={collisions} onTake={take} /> : null}
          <div className="flex flex-wrap gap-2">
            {stale ? (
              <Button variant="primary" onClick={reload} busy={running === 'reload'}>
                Load the newer version
              </Button>
            ) : (
              <Button
                type="submit"
                variant="primary"
                busy={running === 'save'}
                disabled={running !== null || waiting !== null || !isDirty}
              >
                Save Changes
              </Button>
            )}
            {isDirty && !stale ? (
              <Button variant="ghost" onClick={discard} disabled={running !== null}>
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
      <UnsavedGuard dirty={() => isDirty && !waiting && running === null && !leaving} />
      <UploadGuard running={() => waiting !== null && !leaving} />
    </>
  );
}
