import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { isStatus } from '#lib/errors.ts';
import { meQuery } from '#lib/queries/account.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { productQuery, productsQuery } from '#lib/queries/products.ts';
import { keyState, keysQuery } from './keys-query.ts';
import type { Secrets } from './use-secrets.ts';

export interface SetupSearch {
  product?: string | undefined;
  key?: string | undefined;
  file?: string | undefined;
}

export type RsaFormat = 'juce' | 'cpp' | 'hise';

export async function fetchRsa(id: string, format: RsaFormat): Promise<string> {
  const response = await api.stream.getProductRsa({ path: { id }, query: { format } });
  return (await response.text()).trim();
}

/** The values for the snippets: the product and the key from the URL, or the first of each. */
export function useSetup(search: SetupSearch, secrets: Secrets) {
  const me = useQuery(meQuery);
  const products = useQuery(productsQuery(''));
  const named = useQuery({ ...productQuery(search.product ?? ''), enabled: Boolean(search.product) });
  const product = search.product ? (named.data ?? null) : (products.data?.rows[0] ?? null);

  const list = useQuery(keysQuery);
  const usable = (list.data ?? []).filter((key) => keyState(key) !== 'inactive');
  const key =
    usable.find(({ id }) => id === search.key) ?? usable.find((item) => keyState(item) === 'active') ?? usable[0];

  // the first request for a product's RSA key creates it, so it is only fetched on demand
  const [asked, setAsked] = useState<string[]>([]);
  const rsa = useQuery({
    queryKey: ownKeys.rsaKey(product?.id),
    queryFn: () => fetchRsa(product?.id ?? '', 'juce'),
    enabled: product !== null && asked.includes(product.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isMissing = isStatus(named.error, 404) || isStatus(named.error, 400);
  const failed = [named, products, list].filter((query) => query.isError && !(query === named && isMissing));
  const [retrying, setRetrying] = useState(false);
  const retry = async () => {
    setRetrying(true);
    await Promise.all(failed.map((query) => query.refetch()));
    setRetrying(false);
  };
  return {
    product,
    keys: usable,
    key,
    rsa,
    showRsa: () => {
      if (rsa.isError) rsa.refetch();
      else if (product) setAsked((before) => [...before, product.id]);
    },
    problems: {
      product: isMissing
        ? 'This product no longer exists. Choose another one.'
        : named.isError
          ? "This product couldn't be loaded."
          : products.isError
            ? "Products couldn't be loaded."
            : undefined,
      key: list.isError ? "Plugin keys couldn't be loaded." : undefined,
      retry: failed.length > 0 || retrying ? retry : undefined,
      retrying,
    },
    values: {
      TONEROW_URL: location.origin,
      PLUGIN_KEY: key ? secrets.known[key.id] : undefined,
      PRODUCT_ID: product?.id,
      PRODUCT_NAME: product?.name,
      JUCE_PRODUCT_ID: product?.juce_product_id,
      DEVELOPER_ID: me.data?.id,
      RSA_PUBLIC_KEY: rsa.data,
    },
  };
}

export type Setup = ReturnType<typeof useSetup>;
