import { createFileRoute } from '@tanstack/react-router';
import { AddProduct } from '#features/products/add-product.tsx';

export const Route = createFileRoute('/_app/products/add')({ component: AddProduct });
