interface Loading {
  isPlaceholderData: boolean;
  isPending: boolean;
}

/** Whether the list is still that of an earlier search: it is loaded once typing pauses, and the earlier one is shown until then. */
export const isBehind = (typed: string, settled: string, list: Loading): boolean =>
  typed.trim() !== settled || list.isPlaceholderData || list.isPending;
