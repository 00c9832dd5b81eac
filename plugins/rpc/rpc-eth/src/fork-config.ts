import { BEACON_ROOTS, BLOCK_HASHES } from "@plinth/chain";
import type { Address, BlockReader, Header, Hex } from "@plinth/core";
import { type RuleSet, rulesOf } from "@plinth/core/evm";
import { type BlobRules, forkHashAt, readForkPoints } from "@plinth/core/rules";

/** The rules in force from a time on (EIP-7910). */
export interface ForkConfig {
  readonly activationTime: bigint;
  /** Omitted before blobs. */
  readonly blobs: BlobRules | undefined;
  readonly forkHash: Hex;
  readonly precompiles: RuleSet["precompiles"];
  readonly systemContracts: Readonly<Record<string, Address>>;
}

/** The current rules, the next ones, and the last known ones. */
export interface ForkConfigs {
  readonly current: ForkConfig;
  readonly next: ForkConfig | undefined;
  readonly last: ForkConfig | undefined;
}

/** The rules at a block and after it. */
export function readForkConfigs(blocks: BlockReader, genesis: object, head: Header): ForkConfigs {
  const points = readForkPoints(genesis);
  const first = blocks.findHeader(0n) ?? { hash: "0x" as const, timestamp: 0n };
  const at = (time: bigint) => describe(blocks, { time, head, first, points });
  const passed = points.times.filter((time) => time <= head.timestamp);
  const ahead = points.times.filter((time) => time > head.timestamp);
  const [next, last] = [ahead[0], ahead.at(-1)];
  return {
    current: at(passed.at(-1) ?? first.timestamp),
    next: next === undefined ? undefined : at(next),
    last: last === undefined ? undefined : at(last),
  };
}

function describe(
  blocks: BlockReader,
  {
    time,
    head,
    first,
    points,
  }: {
    readonly time: bigint;
    readonly head: Header;
    readonly first: { readonly hash: Hex };
    readonly points: ReturnType<typeof readForkPoints>;
  },
): ForkConfig {
  const point = { number: head.number, timestamp: time, difficulty: head.difficulty };
  const rules = rulesOf(blocks.forkAt(point));
  const { contracts } = blocks.simulation.forks.rules;
  return {
    activationTime: time,
    blobs: blocks.blobRulesAt(point),
    forkHash: forkHashAt(first.hash, points, point),
    precompiles: rules.precompiles,
    systemContracts: {
      ...(rules.keepsBeaconRoots ? { BEACON_ROOTS_ADDRESS: BEACON_ROOTS } : {}),
      ...(rules.keepsBlockHashes ? { HISTORY_STORAGE_ADDRESS: BLOCK_HASHES } : {}),
      ...(rules.hasRequests
        ? {
            CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: contracts.consolidation,
            DEPOSIT_CONTRACT_ADDRESS: contracts.deposit,
            WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: contracts.withdrawal,
          }
        : {}),
    },
  };
}
