import {
  type Address,
  type ConsensusEngine,
  defineEngine,
  definePlugin,
  type Finalization,
  FORKS,
  type Fork,
  keccakHeader,
  t,
  type WorldState,
} from "@plinth/core";

const ETHER = 10n ** 18n;

/** Proof of work whose seals nobody checks, and proof of stake after it: for blocks of other projects. */
const engine: ConsensusEngine = {
  finality: "eventual",
  hashHeader: (header) => keccakHeader(header),
  author: ({ coinbase }) => coinbase,
  feeRecipient: ({ coinbase }) => coinbase,
  verifyHeader: () => {},
  prepareHeader: (draft) => draft,
  prefers: (candidate, head) => candidate.header.number > head.header.number,
  finalize: (finalization) => {
    if (finalization.block.header.difficulty > 0n) reward(finalization);
  },
};

/** The plugin that brings it, under the name that genesis files use. */
export const unsealedEngine = definePlugin({
  name: "consensus-unsealed",
  setup: (node) =>
    node.consensus.engine(
      defineEngine({ key: "ethash", settings: t.object({}), create: () => engine }),
    ),
});

/** Pays as proof of work did: the miner, a thirty-second of it per uncle, and the uncles' miners. */
function reward({ state, block: { header, body }, fork }: Finalization): void {
  const full = rewardOf(fork);
  pay(state, header.coinbase, full + (full / 32n) * BigInt(body.uncles.length));
  for (const uncle of body.uncles) {
    pay(state, uncle.coinbase, (full * (8n - (header.number - uncle.number))) / 8n);
  }
}

function rewardOf(fork: Fork): bigint {
  const isAtLeast = (other: Fork) => FORKS.indexOf(fork) >= FORKS.indexOf(other);
  const ether = isAtLeast("constantinople") ? 2n : isAtLeast("byzantium") ? 3n : 5n;
  return ether * ETHER;
}

function pay(state: WorldState, address: Address, amount: bigint): void {
  state.setAccount(address, { balance: (state.findAccount(address)?.balance ?? 0n) + amount });
}
