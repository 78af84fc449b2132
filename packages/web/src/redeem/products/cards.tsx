import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import type { Support } from './help.ts';
import type { Products } from './use-products.ts';

interface Props {
  products: Products;
  support: Support;
  /** Opens them. */
  token: string;
  /** Shown below the files of a serial. */
  below?: (serial: string) => ReactNode;
}

export function Cards({ products: { cards = [], starting, trouble, download }, support, token, below }: Props) {
  return (
    <ul className="cards">
      {cards.map((card) => (
        <Card
          key={card.serial_code}
          product={card}
          support={support}
          token={token}
          starting={starting?.serial === card.serial_code ? starting.file : null}
          trouble={trouble?.serial === card.serial_code ? trouble.error : undefined}
          onDownload={(file) => void download(card.serial_code, file)}
        >
          {below?.(card.serial_code)}
        </Card>
      ))}
    </ul>
  );
}
