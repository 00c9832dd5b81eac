export { BlockForm } from "./blocks/block-form.js";
export { type BftExtraData, BftExtraDataCodec } from "./blocks/extra-data.js";
export { BFT_MIX_HASH, type BlockAuthority, HeaderRules } from "./blocks/header-rules.js";
export { readOutline } from "./blocks/read-block.js";
export { isSignedBy, recoverSigner } from "./blocks/signatures.js";
export { verifyBlockBody } from "./blocks/verify-block-body.js";
export type { BftParts } from "./engine/bft-consensus.js";
export { type ConsensusMetrics, createMetrics } from "./engine/consensus-metrics.js";
export { type Bft, createBft } from "./engine/create-bft.js";
export { registerBft } from "./engine/register-bft.js";
export { longestEmptyPeriod } from "./genesis/check-empty-period.js";
export { checkBftGenesis } from "./genesis/check-genesis.js";
export { ConfigAt } from "./genesis/config-at.js";
export {
  type BftSettings,
  type BftTransition,
  bftSettings,
  bftTransition,
} from "./genesis/settings.js";
export { Evidence } from "./height/evidence.js";
export {
  type Effect,
  Height,
  type HeightParts,
  type ProposedBlocks,
} from "./height/height.js";
export { roundDueAfter, roundTimeoutMs } from "./height/height-timers.js";
export { Journal } from "./height/journal.js";
export { selectProposer } from "./height/proposer.js";
export { maxFailures, quorumOf } from "./height/quorum.js";
export { createDialect } from "./messages/create-dialect.js";
export type { Dialect, HeightFacts, Sign, VerifyBlock } from "./messages/dialect.js";
export { createMessageForm, type MessageForm } from "./messages/message-form.js";
export {
  type BftMessage,
  type Certificate,
  type Commit,
  type Envelope,
  findPrepared,
  type Prepare,
  type Prepared,
  type Proposal,
  type RoundChange,
  type RoundId,
  type SignedMessage,
} from "./messages/messages.js";
export type { NestedSigners } from "./messages/nested-signers.js";
export { type Outline, withoutBody } from "./messages/outline.js";
export {
  fieldsOf,
  type PayloadForm,
  type PayloadItems,
  verifySignedSize,
} from "./messages/payload-form.js";
export { isEmptyList, isEmptyString, listPrefix, readItems } from "./messages/read-items.js";
export { readSigned } from "./messages/read-signed.js";
export { Rejected, verifyRule } from "./messages/rejected.js";
export { verifyAuthors, verifyRoundChangeOf } from "./messages/verify-reasons.js";
export type { VoteCodec } from "./messages/vote-codec.js";
export { type BftChain, isOverLimit } from "./methods/bft-chain.js";
export { validatorMethods } from "./methods/index.js";
export { BlockExchange } from "./session/block-exchange.js";
export { Validator } from "./session/validator.js";
export { ValidatorPeers } from "./session/validator-peers.js";
export {
  type HeaderAuthority,
  type ValidatorSource,
  votedValidators,
} from "./validators/validators.js";
