import type { ProductCard } from '@tonerow/sdk';
import { Heading } from '../heading.tsx';
import { Opening } from '../opening.tsx';
import type { Why } from '../steps/find-step.tsx';
import { useWords } from '../words.tsx';
import { Cards } from './cards.tsx';
import { CustomerSwitch } from './customer-switch.tsx';
import type { Support } from './help.ts';
import { useProducts } from './use-products.ts';

interface Props {
  token: string;
  initial: ProductCard[] | undefined;
  who: string | null;
  support: Support;
  /** Looks for everything, or for a computer whose seat can be released. */
  onFind: (why: Why) => void;
  onAnother: () => void;
  onForget: () => void;
  onInvalid: (error: unknown) => void;
}

export function Downloads({ token, initial, who, support, onFind, onAnother, onForget, onInvalid }: Props) {
  const { t } = useWords();
  const products = useProducts(token, initial, onInvalid);
  const { cards } = products;
  if (!cards) return <Opening failure={products.failure} onRetry={products.reload} onEnterSerial={onAnother} />;
  return (
    <>
      <Heading title={t.downloadsTitle} intro={cards.length > 0 ? t.downloadsIntro : t.empty} />
      <Cards products={products} support={support} token={token} />
      <section className="more">
        <p>{t.moreText}</p>
        <div className="more-ways">
          <button type="button" className="second" onClick={() => onFind('products')}>
            {t.myProducts}
          </button>
          <button type="button" className="second" onClick={() => onFind('computer')}>
            {t.freeComputer}
          </button>
        </div>
      </section>
      <CustomerSwitch who={who} onAnother={onAnother} onForget={onForget} />
    </>
  );
}
