import { createFileRoute } from '@tanstack/react-router';
import { ProductHub } from '#features/products/product-hub.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/products')({ beforeLoad: requireDeveloper, component: ProductHub });
