import { Badge } from '#ui/badge.tsx';

/** Whether a product can be sold already. */
export const ProductState = ({ product }: { product: { is_draft: boolean } }) =>
  product.is_draft ? (
    <Badge tone="warn" means="It can’t be redeemed, sold or seen by resellers until it is published.">
      Draft
    </Badge>
  ) : (
    <Badge tone="good" means="Its serials can be redeemed, and resellers can sell it.">
      Submitted
    </Badge>
  );
