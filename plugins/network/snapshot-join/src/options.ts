import { option, optionKinds } from "@plinth/core";

const HASH_BYTES = 32;

/** The options of joining by a snapshot. */
export const options = {
  snapshot: option.list({
    summary:
      "Folders or HTTP addresses of a snapshot with which an empty node joins its chain, instead of executing every block; a file that one does not deliver is read from the next.",
    of: optionKinds.text(),
  }),
  snapshotBlockHash: option.hex({
    summary: "Hash of the block that the snapshot must have.",
    validate: (hash) =>
      hash.length === HASH_BYTES ? undefined : `expected the ${HASH_BYTES} bytes of a block hash`,
  }),
  trustedValidators: option.list({
    summary:
      "Addresses of the validators that seal the block of the snapshot, if a contract determines them.",
    of: optionKinds.address(),
  }),
};
