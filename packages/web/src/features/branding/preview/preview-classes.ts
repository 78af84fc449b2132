/** A button in the brand's color; its edge shows where the color itself would not. */
export const primaryClass = 'rounded-md border border-(--brand-edge) bg-(--brand) font-semibold text-(--on-brand)';
/** A link in the brand's color, adjusted to be readable. */
export const inkClass = 'text-(--brand-text) underline decoration-line-strong underline-offset-4';
