export {
  type Authorities,
  castVote,
  effectiveVotes,
  majorityOf,
  openProposals,
  type Proposal,
  startAuthorities,
  type Vote,
  type VoteKind,
} from "./authorities.js";
export { AuthorityCheckpoints } from "./authority-checkpoints.js";
export { AuthorityHistory, type AuthorityRules } from "./authority-history.js";
export { checkAuthorities, checkFunds, type ListedAuthorities } from "./genesis-findings.js";
export { type Mark, NO_MARK } from "./mark.js";
export { SignedFile } from "./signed-file.js";
export { SignedMark, type SignedMarkParts } from "./signed-mark.js";
export { type MeasuredChain, measureSigners, type SignerMetrics } from "./signer-metrics.js";
export { signerMetrics } from "./signer-metrics-method.js";
export { createSigning, type Signing, signFromOption } from "./signing.js";
export { StandingProposals } from "./standing-proposals.js";
