import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '../../lib/api.ts';
import { describeError, showFieldErrors } from '../../lib/errors.ts';
import { plural } from '../../lib/format.ts';
import { useOnce } from '../../lib/hooks.ts';
import { productQuery } from '../../lib/queries.ts';
import { endSessionOn401 } from '../../lib/query.ts';
import type { Product } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { PageHeader, Section } from '../../ui/page.tsx';
import { FormError, Notice } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { DeleteProduct } from './delete-product.tsx';
import { ProductFields } from './product-fields.tsx';
import { formFields, formPaths, fromProduct, type ProductForm, productSchema, toRequest } from './product-schema.ts';

export function EditForm({ product }: { product: Product }) {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const [running, setRunning] = useState<'save' | 'publish' | null>(null);
  const [leaving, setLeaving] = useState(false);
  // The version this form was filled from: a save must not overwrite what somebody else saved since.
  const [base, setBase] = useState(product);
  const form = useForm<ProductForm>({ defaultValues: fromProduct(product), resolver: zodResolver(productSchema) });
  const { isDirty } = form.formState;
  const stale = describeError(failure).code === 'stale_version';

  const accept = async (next: Product) => {
    setBase(next);
    queryClient.setQueryData(productQuery(product.id).queryKey, next);
    await queryClient.invalidateQueries({ queryKey: ['products', 'list'] });
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
      notify.success('Product submitted!');
    } catch (error) {
      endSessionOn401(error);
      notify.error('Submission failed.', error);
    } finally {
      setRunning(null);
    }
  });

  const reload = async () => {
    const next = await queryClient.fetchQuery({ ...productQuery(product.id), staleTime: 0 });
    setBase(next);
    form.reset(fromProduct(next));
    setFailure(null);
  };

  return (
    <>
      <PageHeader
        title={base.name}
        actions={
          <>
            <LinkButton to="/dashboard/serials" search={{ tab: 'generator', product: product.id }}>
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
          {base.is_draft ? <Badge tone="warn">Draft</Badge> : <Badge tone="good">Submitted</Badge>}
          {plural(base.serials_available, 'serial')} available
        </span>
      </PageHeader>
      {base.is_draft ? (
        <div className="mb-8">
          <Notice tone="plain">
            A draft can't be redeemed, sold or seen by resellers.{' '}
            {isDirty ? 'Save your changes, then publish it.' : 'Publish it when it is ready.'}
          </Notice>
        </div>
      ) : null}
      <form onSubmit={form.handleSubmit(save)} noValidate>
        <ProductFields form={form} />
        <div className="flex flex-col gap-4 border-t border-line py-6 lg:pl-[260px]">
          <FormError title="Failed to update product." error={failure} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={running === 'save'} disabled={running !== null || !isDirty}>
              Save Changes
            </Button>
            {stale ? <Button onClick={reload}>Load the newer version</Button> : null}
            {isDirty && !stale ? (
              <Button variant="ghost" onClick={() => form.reset(fromProduct(base))}>
                Discard changes
              </Button>
            ) : null}
          </div>
        </div>
      </form>
      <Section title="Delete" hint="Gone for good, with the serials nobody has redeemed." className="first:border-t">
        <DeleteProduct product={base} onLeave={() => setLeaving(true)} />
      </Section>
      <UnsavedGuard dirty={() => isDirty && running === null && !leaving} />
    </>
  );
}
