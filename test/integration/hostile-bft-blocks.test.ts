import {
  type Address,
  type Block,
  blockToRlp,
  encodeRlp,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
  type ProtocolPeer,
  type Rlp,
  t,
} from "@plinth/core";
import { FakeClock } from "@plinth/core/testing";
import {
  BlockForm,
  bftSettings,
  type Proposal,
  type RoundChange,
  type Sign,
} from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { SimulatedChain } from "../network/simulator/simulated-chain.js";
import {
  SimulatedValidator,
  type SimulationForm,
} from "../network/simulator/simulated-validator.js";
import { genesisOf } from "../network/simulator/simulation.js";

const START_MS = 1_700_000_000_000;
const settings = t.object(bftSettings).decode({});
const QBFT = {
  dialect: qbft,
  codec: qbftExtraData,
  form: new BlockForm(qbftExtraData),
  settings,
};
const IBFT = {
  dialect: ibft,
  codec: ibftExtraData,
  form: new BlockForm(ibftExtraData),
  settings,
};
const NOTHING = new Uint8Array();

beforeAll(async () => {
  await loadCrypto();
});

describe("a block in a message whose extra data cannot be read", () => {
  it("does not stop a QBFT validator, in a round change", async () => {
    const world = createWorld(QBFT);
    const { signed } = await qbft.createRoundChange(
      { height: 1n, round: 1 },
      undefined,
      world.sign,
    );
    const payload = await signAgain(world, signed, 0x15, [
      Uint8Array.of(),
      getCrypto().keccak256(NOTHING),
    ]);
    await world.receive(0x15, encodeRlp([payload, world.unreadable, []]));
    expect(await world.isAlive()).toBe(true);
  });

  it("does not stop an IBFT 2.0 validator, in a proposal", async () => {
    const world = createWorld(IBFT);
    const proposal = await ibft.createProposal(
      { height: 1n, round: 0 },
      world.block,
      [],
      world.sign,
    );
    await world.receive(0, encodeRlp([proposal.signed, world.unreadable, NOTHING]));
    expect(await world.isAlive()).toBe(true);
  });
});

/** Signs the height and the round of a payload with something else behind them. */
async function signAgain(
  { sign }: { readonly sign: Sign },
  signed: Rlp,
  code: number,
  claim: readonly Uint8Array[],
): Promise<Rlp> {
  const [payload] = signed as readonly (readonly Rlp[])[];
  const [height, round] = payload ?? [];
  const changed: Rlp = [height ?? NOTHING, round ?? NOTHING, claim];
  const hash = getCrypto().keccak256(encodeRlp([Uint8Array.of(code), changed]));
  const { r, s, recovery } = await sign(`0x${Buffer.from(hash).toString("hex")}`);
  return [changed, Uint8Array.of(...r, ...s, recovery)];
}

/** An honest validator, and the first proposer, which lies. */
function createWorld<P extends Proposal, R extends RoundChange>(form: SimulationForm<P, R>) {
  const keys = [1, 2, 3, 4].map(keyOf);
  const validators = keys.map(addressOf).sort();
  const liar = keys.find((key) => addressOf(key) === validators[0]) ?? "0x";
  const genesis = genesisOf(form, validators);
  const clock = new FakeClock(START_MS);
  const honest = keys.find((key) => addressOf(key) === validators[3]) ?? "0x";
  const node = new SimulatedValidator({
    ...{ form, key: honest, validators, genesis, clock },
    decided: () => {},
  });
  const chain = new SimulatedChain(form, genesis);
  const { block } = chain.build(chain.head(), {
    timestamp: BigInt(START_MS / 1000 + 1),
    self: addressOf(liar),
    validators,
  });
  const header = { ...block.header, extraData: Uint8Array.of(1, 2, 3) };
  const unreadable = blockToRlp({ ...block, header } satisfies Block);
  const sign: Sign = async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(liar));
  const peer = { id: `0x${"11".repeat(64)}`, enode: { host: "127.0.0.1" }, send: () => true };
  node.start();
  return {
    block,
    unreadable,
    sign,
    async receive(code: number, bytes: Uint8Array) {
      await turns();
      node.received(peer as unknown as ProtocolPeer, code, bytes);
      await turns();
    },
    /** Whether it takes part still. */
    async isAlive() {
      const isAlive = node.isTakingPart;
      await node.crash({ losesHead: false });
      return isAlive;
    },
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function addressOf(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}
