export {
  type AnyEngine,
  type BlockOrder,
  type BlockReward,
  type BuiltBlock,
  type EngineChain,
  type EngineCheckContext,
  type EngineKey,
  engines,
  type Finality,
  type Finalization,
  type ForkField,
  type Mining,
  type WeighedHeader,
} from "./engine.js";
export { type ExtraDataCodec, extraDataCodecs } from "./extra-data.js";
export type { ForkPoint, ForkRules } from "./fork-rules.js";
export {
  type AllocatedAccount,
  type AllocatedAccounts,
  type GenesisCheck,
  type GenesisFacts,
  type GenesisFinding,
  genesisChecks,
} from "./genesis-check.js";
export { type GenesisTemplate, genesisTemplates } from "./genesis-template.js";
export {
  type HeaderProof,
  type HeaderTrust,
  type ProveHeaders,
  verifyLink,
} from "./header-proof.js";
export type { EngineSelected } from "./hooks.js";
export { findNamedEngines, type NamedEngines, precedenceOf } from "./named-engines.js";
export { formatProduced, type ProductionTiming } from "./produced-line.js";
export {
  type BlockProduction,
  type BuildPolicy,
  MAX_EXTRA_BYTES,
  type MiningSettings,
} from "./production.js";
export { EngineSchedule, type EngineStage, type Merge } from "./schedule.js";
export { findUnreadSettings } from "./unread-settings.js";
