interface Loading {
  isPlaceholderData: boolean;
  isPending: boolean;
}

/** Whether a list is not yet the one of what is typed: it is asked for once typing pauses, and until it arrives an earlier one is shown. */
export const isBehind = (typed: string, settled: string, list: Loading): boolean =>
  typed.trim() !== settled || list.isPlaceholderData || list.isPending;
