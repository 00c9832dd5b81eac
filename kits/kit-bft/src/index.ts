export { BftConsensus, type ConsensusParts } from "./bft-consensus.js";
export { BlockExchange, EXCHANGE_LENGTH } from "./block-exchange.js";
export { BlockForm } from "./block-form.js";
export { formatDecided } from "./block-line.js";
export { checkEmptyPeriodName, longestEmptyPeriod } from "./check-empty-period.js";
export { type BftGenesisRules, checkBftGenesis } from "./check-genesis.js";
export { type BftConfig, ConfigAt } from "./config-at.js";
export { type ConsensusMetrics, createMetrics } from "./consensus-metrics.js";
export type { Dialect, HeightFacts, Sign, VerifyBlock } from "./dialect.js";
export { Evidence } from "./evidence.js";
export {
  type BftExtraData,
  BftExtraDataCodec,
  type ExtraDataForm,
} from "./extra-data.js";
export { type BftTemplateSettings, createGenesisTemplate } from "./genesis-template.js";
export { BFT_MIX_HASH, type BlockAuthority, HeaderRules } from "./header-rules.js";
export {
  type Effect,
  Height,
  type HeightParts,
  type OwnRecord,
  type ProposedBlocks,
} from "./height.js";
export { roundDueAfter, roundTimeoutMs } from "./height-timers.js";
export { Journal } from "./journal.js";
export { createReading, type Reading, type ReadingParts } from "./message-reading.js";
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
} from "./messages.js";
export { isOverLimit } from "./methods/bft-chain.js";
export { type BftChain, type ChainOf, validatorMethods } from "./methods/index.js";
export { anySigners, type NestedSigners, ValidatorSigners } from "./nested-signers.js";
export { type Outline, readWhole, withoutBody } from "./outline.js";
export {
  type OpenedPayload,
  PayloadForm,
  type PayloadItems,
  type PayloadRules,
} from "./payload-form.js";
export { selectProposer } from "./proposer.js";
export { maxFailures, quorumOf } from "./quorum.js";
export { type BlockOutline, readOutline } from "./read-block.js";
export { isEmptyList, isEmptyString, listPrefix, readItems } from "./read-items.js";
export { readSigned } from "./read-signed.js";
export { Rejected, verifyRule } from "./rejected.js";
export { type BftSettings, type BftTransition, bftSettings, bftTransition } from "./settings.js";
export { isSignedBy, recoverSigner } from "./signatures.js";
export { Validator, type ValidatorParts } from "./validator.js";
export { ValidatorPeers } from "./validator-peers.js";
export { type ValidatorSource, VotedValidators } from "./validators.js";
export { verifyBlockBody } from "./verify-block-body.js";
export { verifyAuthors, verifyRoundChangeOf } from "./verify-reasons.js";
export { VoteCodec } from "./vote-codec.js";
export { voteRules } from "./voted-validators.js";
