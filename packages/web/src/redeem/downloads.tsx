import type { ProductCard } from '@tonerow/sdk';
import { useEffect } from 'react';
import { Mark } from '../ui/mark.tsx';
import { Card } from './card.tsx';
import { Heading } from './heading.tsx';
import { messages as t } from './messages.ts';

interface Props {
  products: ProductCard[];
  onRefresh: () => void;
  onAnother: () => void;
}

export function Downloads({ products, onRefresh, onAnother }: Props) {
  useEffect(() => {
    // who comes back from a download sees the new count
    window.addEventListener('focus', onRefresh);
    return () => window.removeEventListener('focus', onRefresh);
  }, [onRefresh]);

  return (
    <>
      <Heading title={t.downloadsTitle} intro={products.length > 0 ? t.downloadsIntro : t.empty} />
      {products.length > 0 ? (
        <ul className="cards">
          {products.map((product) => (
            <Card key={product.serial_code} product={product} onDownload={onRefresh} />
          ))}
        </ul>
      ) : (
        <Mark className="mark empty" />
      )}
      <button type="button" className="quiet" onClick={onAnother}>
        {t.another}
      </button>
    </>
  );
}
