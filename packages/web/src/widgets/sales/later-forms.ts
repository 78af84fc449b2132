import { lazy } from 'react';

/** They bring the library of forms, when one is shown first. */
export const SellForm = lazy(() => import('./sale-forms.tsx').then((module) => ({ default: module.SellForm })));
export const SendCode = lazy(() => import('./sale-forms.tsx').then((module) => ({ default: module.SendCode })));
