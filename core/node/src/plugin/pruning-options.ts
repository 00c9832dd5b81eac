import { option } from "@plinth/core";

/** As many as one request for the history of fees may cover. */
const MIN_BLOCKS_RETAINED = 1024;

/** The options that limit which states and blocks are kept. */
export const pruningOptions = {
  history: option.text({
    summary:
      "Number of blocks before the head whose state can be read, or all; fewer need --data-storage-format=BONSAI.",
    default: "all",
    validate: (value) => (isAllOrCount(value) ? undefined : "expected all or a number of blocks"),
  }),
  historyProofsBlocks: option.integer({
    summary:
      "Number of blocks before the head for which --data-storage-format=BONSAI has proofs, and that can be removed from the chain.",
    default: 1024,
    min: 1,
    max: 1_000_000,
  }),
  blocksRetained: option.text({
    summary: `Number of blocks before the head whose bodies and receipts are kept, at least ${MIN_BLOCKS_RETAINED}, or all; headers are always kept.`,
    default: "all",
    validate: (value) =>
      isAllOrCount(value) && !(Number(value) < MIN_BLOCKS_RETAINED)
        ? undefined
        : `expected all or a number of blocks, at least ${MIN_BLOCKS_RETAINED}`,
  }),
};

function isAllOrCount(value: string): boolean {
  return value === "all" || /^[1-9][0-9]{0,14}$/.test(value);
}
