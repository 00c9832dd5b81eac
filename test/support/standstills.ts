import type { Address, Plugin } from "@plinth/core";
import rpcMiner from "@plinth/plugin-rpc-miner";
import rpcPlinth from "@plinth/plugin-rpc-plinth";
import { type MeshSettings, ValidatorMesh } from "./validator-mesh.js";

/** A partition is detected after 30 s. */
const SECONDS = 60;
const CONTRACT: Address = `0x${"c0".repeat(20)}`;
const REWARD = { blockReward: "0x5" };

/** A way to stall a network, and what an operator is shown. */
interface Standstill {
  readonly settings?: Partial<MeshSettings>;
  /** Stalls the network. */
  readonly stage?: (mesh: ValidatorMesh) => Promise<void>;
  /** The queried node, the first by default. */
  readonly asked?: number;
  readonly shows: (mesh: ValidatorMesh) => readonly string[];
}

const stop = (...indexes: readonly number[]) => {
  return async (mesh: ValidatorMesh) => {
    for (const index of indexes) await mesh.node(index).stop();
  };
};

/** Twelve ways to stall a network. */
export const STANDSTILLS: Readonly<Record<string, Standstill>> = {
  "too few validators run": {
    stage: stop(2, 3),
    shows: (mesh) => [
      "3 of 4 validators must agree",
      `not connected: ${[mesh.address(2), mesh.address(3)].sort().join(", ")}`,
      "start validators that are down, and make them static peers of this one: at least 1 more",
    ],
  },
  "no peer is reached": {
    stage: async ({ network }) => network.partition(["n0"], ["n1", "n2", "n3"]),
    shows: () => ["at least 2 more"],
  },
  "the network falls into halves": {
    stage: async ({ network }) => network.partition(["n0", "n1"], ["n2", "n3"]),
    shows: (mesh) => [`not connected: ${[mesh.address(2), mesh.address(3)].sort().join(", ")}`],
  },
  "one has another genesis file, and another one is down": {
    settings: { genesisOffsetOf: (index) => (index === 2 ? 1 : 0) },
    stage: stop(3),
    shows: (mesh) => [
      `refused the connection, as nodes with another genesis file or network id do: ${mesh.address(2)}`,
      `not connected: ${mesh.address(3)}`,
      "compare the genesis files and network ids of the validators",
    ],
  },
  "this node has another genesis file": {
    settings: { genesisOffsetOf: (index) => (index === 0 ? 1 : 0) },
    shows: () => ["refused the connection", "compare the genesis files"],
  },
  "the clocks of two are ahead, and another one is down": {
    settings: { clockOffsetOf: (index) => (index < 2 ? 0 : 60_000) },
    stage: stop(1),
    shows: () => ["a message was rejected", "future", "compare the clocks of the validators"],
  },
  "the clock of this node is behind": {
    settings: { clockOffsetOf: (index) => (index === 0 ? -60_000 : 0) },
    stage: stop(3),
    shows: () => ["a message was rejected", "compare the clocks of the validators"],
  },
  "the key of the node is not in the set": {
    settings: { others: 1 },
    asked: 4,
    shows: (mesh) => [
      `this node signs nothing: its address ${mesh.address(4)} is not one of the 4 validators`,
    ],
  },
  "production of this node was stopped": {
    stage: async (mesh) => void (await mesh.node(0).rpc("miner_stop")),
    shows: () => ["this node signs nothing: its production was stopped"],
  },
  "production of two others was stopped": {
    stage: async (mesh) => {
      for (const index of [1, 2]) await mesh.node(index).rpc("miner_stop");
    },
    shows: (mesh) => [
      `connected, but not heard in this round: ${[mesh.address(1), mesh.address(2)].sort().join(", ")}`,
    ],
  },
  "the contract that determines the validators fails": {
    settings: {
      listsNone: true,
      qbft: { validatorContractAddress: CONTRACT },
      // Reverts.
      alloc: () => ({ [CONTRACT]: { balance: "0x0", code: "0x5f5ffd" } }),
      config: { shanghaiTime: 0 },
      runsCode: true,
    },
    shows: () => ["getValidators()", CONTRACT],
  },
  "this node pays another reward than the others, and one is down": {
    settings: { qbftOf: (index) => (index === 0 ? REWARD : {}) },
    stage: stop(3),
    shows: () => ["a message was rejected", "state-root", "compare the genesis file, the options"],
  },
};

/** A stalled network, the node that is asked, and what its status must and does show. */
export interface StalledNetwork extends AsyncDisposable {
  readonly mesh: ValidatorMesh;
  readonly asked: number;
  readonly expected: readonly string[];
  /** The result of `plinth_status` as JSON. */
  readonly status: string;
}

/** Stalls a network, and waits until the status shows why, a minute at most. */
export async function stallNetwork(
  name: string,
  {
    plugins = [],
    options = {},
  }: { readonly plugins?: readonly Plugin[]; readonly options?: object } = {},
): Promise<StalledNetwork> {
  const { settings, stage, asked = 0, shows } = STANDSTILLS[name] as Standstill;
  const mesh = await ValidatorMesh.start({
    validators: 4,
    ...settings,
    plugins: [rpcPlinth, rpcMiner, ...plugins],
    options,
  });
  await mesh.run(3000);
  await stage?.(mesh);
  const expected = shows(mesh);
  let status = "";
  const isShown = () => expected.every((text) => status.includes(text));
  for (let second = 0; second < SECONDS && !isShown(); second++) {
    await mesh.run(1000);
    status = JSON.stringify(await mesh.node(asked).rpc("plinth_status"));
  }
  return {
    ...{ mesh, asked, expected, status },
    [Symbol.asyncDispose]: () => mesh[Symbol.asyncDispose](),
  };
}
