/**
 * Keys of answers that are not one operation's: of several calls, of a stream, or of this browser alone. Where an operation
 * makes them stale, they begin with its name.
 */
export const ownKeys = {
  snippet: (name: string) => ['snippet', name] as const,
  rsaKey: (productId: string | undefined) => ['getProductRsa', { path: { id: productId } }] as const,
  search: (reseller: boolean, text: string) => ['search', reseller, text] as const,
  unfinishedUploads: ['unfinished uploads'] as const,
  changePreview: (operation: 'changeSerials' | 'changeRedeemedSerials', change: object) => [operation, change] as const,
  serialChoices: (filter: object) => ['listSerialChoices', filter] as const,
  trail: (kind: string, id: string, beyond: unknown) => ['trail', kind, id, beyond] as const,
};
