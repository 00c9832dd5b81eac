export { BlockForm } from "./blocks/block-form.js";
export {
  type BftExtraData,
  BftExtraDataCodec,
  type ExtraDataForm,
} from "./blocks/extra-data.js";
export { BFT_MIX_HASH, type BlockAuthority, HeaderRules } from "./blocks/header-rules.js";
export { type BlockOutline, readOutline } from "./blocks/read-block.js";
export { isSignedBy, recoverSigner } from "./blocks/signatures.js";
export { verifyBlockBody } from "./blocks/verify-block-body.js";
export { BftConsensus, type ConsensusParts } from "./engine/bft-consensus.js";
export { formatDecided } from "./engine/block-line.js";
export { type ConsensusMetrics, createMetrics } from "./engine/consensus-metrics.js";
export { checkEmptyPeriodName, longestEmptyPeriod } from "./genesis/check-empty-period.js";
export { type BftGenesisRules, checkBftGenesis } from "./genesis/check-genesis.js";
export { type BftConfig, ConfigAt } from "./genesis/config-at.js";
export { type BftTemplateSettings, createGenesisTemplate } from "./genesis/genesis-template.js";
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
  type OwnRecord,
  type ProposedBlocks,
} from "./height/height.js";
export { roundDueAfter, roundTimeoutMs } from "./height/height-timers.js";
export { Journal } from "./height/journal.js";
export { selectProposer } from "./height/proposer.js";
export { maxFailures, quorumOf } from "./height/quorum.js";
export type { Dialect, HeightFacts, Sign, VerifyBlock } from "./messages/dialect.js";
export { createReading, type Reading, type ReadingParts } from "./messages/message-reading.js";
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
export { anySigners, type NestedSigners, ValidatorSigners } from "./messages/nested-signers.js";
export { type Outline, readWhole, withoutBody } from "./messages/outline.js";
export {
  type OpenedPayload,
  PayloadForm,
  type PayloadItems,
  type PayloadRules,
} from "./messages/payload-form.js";
export { isEmptyList, isEmptyString, listPrefix, readItems } from "./messages/read-items.js";
export { readSigned } from "./messages/read-signed.js";
export { Rejected, verifyRule } from "./messages/rejected.js";
export { verifyAuthors, verifyRoundChangeOf } from "./messages/verify-reasons.js";
export { VoteCodec } from "./messages/vote-codec.js";
export { isOverLimit } from "./methods/bft-chain.js";
export { type BftChain, type ChainOf, validatorMethods } from "./methods/index.js";
export { BlockExchange, EXCHANGE_LENGTH } from "./session/block-exchange.js";
export { Validator, type ValidatorParts } from "./session/validator.js";
export { ValidatorPeers } from "./session/validator-peers.js";
export { type ValidatorSource, VotedValidators } from "./validators/validators.js";
export { voteRules } from "./validators/voted-validators.js";
