import { option, optionKinds } from "@plinth/core";
import { problemOfHeader } from "./remote/headers.js";
import { problemOfUrl } from "./remote/url.js";

/** How the state of another network gets here. */
const MODES = ["AUTO", "CLONE", "LAZY"] as const;
/** One of them. */
export type ForkMode = (typeof MODES)[number];

const MAX_NUMBER = 2 ** 53 - 1;
const MAX_CLONE_GIB = 1024;

/** Options of a fork. */
export const options = {
  forkUrl: option.text({
    summary:
      "JSON-RPC address of another network's node: a new chain begins with the state of a block.",
    validate: problemOfUrl,
  }),
  forkBlockNumber: option.integer({
    summary: "Block of --fork-url; the latest by default.",
    min: 1,
    max: MAX_NUMBER,
  }),
  forkChainId: option.integer({
    summary: "Chain id of the fork; by default that of the other network.",
    min: 1,
    max: MAX_NUMBER,
  }),
  forkHeader: option.list({
    summary: "HTTP headers of requests to the node, such as 'Authorization: Bearer …'.",
    of: optionKinds.text(),
    validate: (lines) => lines.map(problemOfHeader).find((problem) => problem !== undefined),
  }),
  forkData: option.path({
    summary:
      "Data folder of a stopped node, or a backup, which a new chain continues without changing it; needs its --genesis-file.",
  }),
  forkMode: option.oneOf(MODES, {
    summary:
      "CLONE reads the whole state once, LAZY reads values when they are needed; AUTO clones if that is possible.",
    default: "AUTO",
  }),
  forkCachePath: option.path({
    summary:
      "Folder of the values that lazy forks have read; plinth/forks in the user's cache folder by default.",
  }),
  noStorageCaching: option.flag({
    summary: "Lazy forks do not share the values that they have read with others.",
  }),
  forkCloneLimit: option.integer({
    summary: "Maximum size of the state, in GiB.",
    default: 2,
    min: 1,
    max: MAX_CLONE_GIB,
  }),
};
