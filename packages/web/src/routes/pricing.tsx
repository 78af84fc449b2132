import { createFileRoute } from '@tanstack/react-router';
import { Pricing } from '#features/public/pricing.tsx';

export const Route = createFileRoute('/pricing')({ component: Pricing });
