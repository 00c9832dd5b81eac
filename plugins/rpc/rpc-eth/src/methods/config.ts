import { type Call, method, t, toQuantity } from "@plinth/core";
import { type ForkConfig, readForkConfigs } from "../fork-config.js";

/** `eth_config`: the rules of the fork at the head, of the next one and of the last (EIP-7910). */
export const config = method({
  summary: "Describes the rules at the head, the next ones, and the last known ones.",
  absentIn: "besu",
  result: t.json,
  example: { params: [], result: { current: {}, next: null, last: null } },
  handle(_, call: Call) {
    const { chain } = call;
    const blocks = call.chain.blocks;
    const { current, next, last } = readForkConfigs(blocks, chain.genesis, blocks.head());
    const describe = (config: ForkConfig | undefined) =>
      config === undefined ? null : describeConfig(config, chain.chainId ?? 0n);
    return { current: describe(current), next: describe(next), last: describe(last) };
  },
});

function describeConfig(config: ForkConfig, chainId: bigint) {
  const { activationTime, blobs, forkHash, precompiles, systemContracts } = config;
  return {
    activationTime: Number(activationTime),
    blobSchedule:
      blobs === undefined
        ? null
        : {
            baseFeeUpdateFraction: Number(blobs.updateFraction),
            max: Number(blobs.max),
            target: Number(blobs.target),
          },
    chainId: toQuantity(chainId),
    forkId: forkHash,
    precompiles: sorted(Object.entries(precompiles).map(([name, { address }]) => [name, address])),
    systemContracts: sorted(Object.entries(systemContracts)),
  };
}

function sorted(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
