import type { Address, OptionValues } from "@plinth/core";
import { ConfigError, toOptionName } from "@plinth/core";
import type { ForkSchedule } from "@plinth/core/rules";
import type { poolOptions } from "./options.js";
import type { PoolLimits } from "./pool-index.js";

/** The operator's settings of the pool. */
export interface PoolSettings {
  readonly limits: PoolLimits;
  /** The reported maximum number of transactions; `undefined` if bytes are counted. */
  readonly maxSize: number | undefined;
  readonly prioritySenders: ReadonlySet<Address>;
  readonly hasLocalPriority: boolean;
  readonly needsChainId: boolean;
  /** Maximum price per gas of a local transaction; zero for no limit. */
  readonly feeCap: bigint;
  /** Minimum price per gas of transactions without priority. */
  readonly minGasPrice: bigint;
  readonly minScore: number;
  /** Maximum age of a transaction. */
  readonly retentionMs: number;
}

/** The inputs of the settings. */
export interface PoolSources {
  readonly options: OptionValues<typeof poolOptions> & { readonly minGasPrice: bigint };
  readonly isSet: (key: string) => boolean;
  readonly forks: Pick<ForkSchedule, "rules">;
  readonly warn: (message: string) => void;
}

const LAYERED_ONLY = [
  "txPoolLayerMaxCapacity",
  "txPoolMaxPrioritized",
  "txPoolMaxPrioritizedByType",
  "txPoolMaxFutureBySender",
  "txPoolMinScore",
];
const SEQUENCED_ONLY = ["txPoolMaxSize", "txPoolRetentionHours", "txPoolLimitByAccountPercentage"];
const LOWEST_SCORE = -128;
const HOUR_MS = 3_600_000;
/**
 * A pool that counts transactions is limited in bytes as well: at least this many, or this many for
 * each.
 */
const SEQUENCED_BYTES = { least: 25_000_000, each: 4096 };

/** Converts both families of options into one set of limits; an error names the option. */
export function readPoolSettings(sources: PoolSources): PoolSettings {
  const { options } = sources;
  const isLayered = options.txPool === "LAYERED";
  verifyFamily(isLayered, sources);
  const bumps = { gas: readPriceBump(sources), blobGas: options.txPoolBlobPriceBump };
  return {
    ...(isLayered ? layered(options, bumps) : sequenced(options, bumps)),
    prioritySenders: new Set(options.txPoolPrioritySenders),
    hasLocalPriority: !options.txPoolNoLocalPriority,
    needsChainId: options.strictTxReplayProtectionEnabled,
    feeCap: options.rpcTxFeecap,
    minGasPrice: readMinGasPrice(sources),
  };
}

type FromFamily = Pick<PoolSettings, "limits" | "maxSize" | "minScore" | "retentionMs">;

function layered(options: PoolSources["options"], bumps: PoolLimits["bumps"]): FromFamily {
  const { txPoolLayerMaxCapacity: capacity, txPoolMaxPrioritizedByType: byType } = options;
  const blobs = [...byType].find(([type]) => type.toUpperCase() === "BLOB")?.[1];
  return {
    limits: {
      maxTransactions: Number.POSITIVE_INFINITY,
      maxBytes: 2 * capacity,
      maxFutureBytes: capacity,
      maxNonceGap: options.txPoolMaxFutureBySender,
      bumps,
      first: "best-paid",
      maxCandidates: options.txPoolMaxPrioritized,
      maxBlobCandidates: blobs ?? Number.POSITIVE_INFINITY,
    },
    maxSize: undefined,
    minScore: options.txPoolMinScore,
    retentionMs: Number.POSITIVE_INFINITY,
  };
}

function sequenced(options: PoolSources["options"], bumps: PoolLimits["bumps"]): FromFamily {
  const { txPoolMaxSize: maxSize, txPoolLimitByAccountPercentage: share } = options;
  const maxBytes = Math.max(SEQUENCED_BYTES.least, maxSize * SEQUENCED_BYTES.each);
  return {
    limits: {
      maxTransactions: maxSize,
      maxBytes,
      maxFutureBytes: maxBytes,
      maxNonceGap: Math.ceil(share * maxSize),
      bumps,
      first: "oldest",
      maxCandidates: Number.POSITIVE_INFINITY,
      maxBlobCandidates: Number.POSITIVE_INFINITY,
    },
    maxSize,
    minScore: LOWEST_SCORE,
    retentionMs: options.txPoolRetentionHours * HOUR_MS,
  };
}

function verifyFamily(isLayered: boolean, { isSet }: PoolSources): void {
  const foreign = (isLayered ? SEQUENCED_ONLY : LAYERED_ONLY).filter(isSet).map(toOptionName);
  if (foreign.length === 0) return;
  const [other, chosen] = isLayered
    ? ["legacy or sequenced", "layered"]
    : ["layered", "legacy or sequenced"];
  throw new ConfigError("OPTION_CONFLICT", {
    message: `Could not use ${other} transaction pool options with ${chosen} implementation [${foreign.map((name) => `--${name}`).join(", ")}]`,
    options: foreign,
  });
}

/** If gas is free, a replacement need not pay more: otherwise no transaction could be replaced. */
function readPriceBump({ options, isSet, forks, warn }: PoolSources): number {
  const isFree = forks.rules.baseFee === "zero";
  if (isFree && isSet("txPoolPriceBump")) {
    throw new ConfigError("OPTION_CONFLICT", {
      message: "Price bump option is not compatible with zero base fee market",
      option: "tx-pool-price-bump",
    });
  }
  const isForced = isFree || (options.minGasPrice === 0n && !isSet("txPoolPriceBump"));
  if (isForced) warn("Forcing price bump for transaction replacement to 0");
  return isForced ? 0 : options.txPoolPriceBump;
}

function readMinGasPrice({ options, isSet, forks, warn }: PoolSources): bigint {
  const { txPoolMinGasPrice: wanted, minGasPrice: floor } = options;
  if (forks.rules.baseFee === "zero" && !isSet("txPoolMinGasPrice")) return 0n;
  if (wanted <= floor) return wanted;
  if (isSet("txPoolMinGasPrice")) {
    throw new ConfigError("OPTION_CONFLICT", {
      message: "tx-pool-min-gas-price cannot be greater than the value of min-gas-price",
      option: "tx-pool-min-gas-price",
    });
  }
  warn(`Forcing tx-pool-min-gas-price=${floor}, since it cannot be greater than min-gas-price`);
  return floor;
}
