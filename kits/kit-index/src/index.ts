export { Coverage, type CoveredRun } from "./coverage.js";
export { type BuilderSettings, type FilledIndex, IndexBuilder } from "./index-builder.js";
export { PendingRewind } from "./pending-rewind.js";
export { type CanonicalChain, withoutOtherBlocks } from "./without-other-blocks.js";
