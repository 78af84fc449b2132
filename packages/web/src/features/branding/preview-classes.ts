/** A button in the brand's color; its edge shows where the color itself would not. */
export const primaryClass = 'rounded-md border border-(--brand-edge) bg-(--brand) font-semibold text-(--on-brand)';
/** A link in the brand's color, as far as it can be read. */
export const inkClass = 'text-(--brand-text) underline decoration-line-strong underline-offset-4';
