import { isDeepStrictEqual } from "node:util";
import {
  type Address,
  type Block,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
  type ProtocolPeer,
  RlpError,
  t,
  toHex,
} from "@plinth/core";
import {
  type BftMessage,
  BlockForm,
  bftSettings,
  Height,
  type HeightFacts,
  quorumOf,
  Rejected,
  type Sign,
  selectProposer,
} from "@plinth/kit-bft";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { SimulatedChain } from "../network/simulator/simulated-chain.js";
import { SimulatedValidator } from "../network/simulator/simulated-validator.js";
import { genesisOf } from "../network/simulator/simulation.js";
import { createDice, mutate } from "../support/mutate.js";
import { TrustedBlocks } from "../support/trusted-blocks.js";

/** `npm run long -- fuzz-network` sends 100,000. */
const MESSAGES = Number(process.env.PLINTH_BFT_MESSAGES ?? 2_000);
const LIMIT_MS = 60_000 + 20 * MESSAGES;

const form = {
  dialect: qbft,
  codec: qbftExtraData,
  form: new BlockForm(qbftExtraData),
  settings: t.object(bftSettings).decode({}),
};

type Message = ReturnType<typeof qbft.decode>;

beforeAll(async () => {
  await loadCrypto();
});

describe("messages of lying validators", () => {
  it.each<[string, string, (world: World) => Promise<Message>]>([
    ["of a stranger", "author", ({ stranger, digest }) => prepare(stranger, { digest })],
    ["a prepare for another block", "digest", ({ others }) => prepare(others[0], { digest: ZERO })],
    [
      "a commit with the seal of another",
      "digest",
      async ({ others, digest, block }) =>
        commit(others[0], { digest, seal: await seal(others[1], qbft.sealHashOf(block, 0)) }),
    ],
    [
      "a commit with a seal over another round",
      "digest",
      async ({ others, digest, block }) =>
        commit(others[0], { digest, seal: await seal(others[0], qbft.sealHashOf(block, 1)) }),
    ],
    [
      "a proposal of another validator than the proposer",
      "proposer",
      ({ others, block }) =>
        qbft.createProposal({ height: 1n, round: 1 }, block, [], others[2].sign),
    ],
    [
      "a proposal of a later round without a reason",
      "quorum",
      ({ proposerOf, block }) =>
        qbft.createProposal({ height: 1n, round: 1 }, block, [], proposerOf(1).sign),
    ],
    [
      "a proposal with one reason twice",
      "duplicate-author",
      async ({ proposerOf, block, others }) => {
        const reason = await roundChange(others[0], 1);
        const reasons = [reason, reason, await roundChange(others[1], 1)];
        return qbft.createProposal({ height: 1n, round: 1 }, block, reasons, proposerOf(1).sign);
      },
    ],
    [
      "a proposal with a reason of a non-validator",
      "author",
      async ({ proposerOf, block, others, stranger }) => {
        const reasons = await Promise.all([
          roundChange(others[0], 1),
          roundChange(others[1], 1),
          roundChange(stranger, 1),
        ]);
        return qbft.createProposal({ height: 1n, round: 1 }, block, reasons, proposerOf(1).sign);
      },
    ],
    [
      "a proposal with reasons for another round",
      "round",
      async ({ proposerOf, block, others }) => {
        const reasons = await Promise.all(others.map((other) => roundChange(other, 2)));
        return qbft.createProposal({ height: 1n, round: 1 }, block, reasons, proposerOf(1).sign);
      },
    ],
    [
      "a new block of another validator",
      "coinbase",
      async ({ proposerOf, block, others }) => {
        const reasons = await Promise.all(others.map((other) => roundChange(other, 1)));
        return qbft.createProposal({ height: 1n, round: 1 }, block, reasons, proposerOf(1).sign);
      },
    ],
    [
      "a round change to round 0",
      "round",
      ({ others }) => qbft.createRoundChange({ height: 1n, round: 0 }, undefined, others[0].sign),
    ],
    [
      "a round change to a round far ahead",
      "round",
      ({ others }) =>
        qbft.createRoundChange({ height: 1n, round: 1001 }, undefined, others[0].sign),
    ],
    [
      "a round change to the last round there is",
      "round",
      ({ others }) =>
        qbft.createRoundChange({ height: 1n, round: 2 ** 31 - 1 }, undefined, others[0].sign),
    ],
    [
      "a round change with too few prepares",
      "quorum",
      async ({ others, proposal }) =>
        qbft.createRoundChange(
          { height: 1n, round: 1 },
          { proposal, block: proposal.block, prepares: [await prepare(others[0], proposal)] },
          others[0].sign,
        ),
    ],
    [
      "a round change with one prepare three times",
      "duplicate-author",
      async ({ others, proposal }) => {
        const one = await prepare(others[0], proposal);
        const certificate = { proposal, block: proposal.block, prepares: [one, one, one] };
        return qbft.createRoundChange({ height: 1n, round: 1 }, certificate, others[0].sign);
      },
    ],
    [
      "a round change with prepares for another block",
      "prepares",
      async ({ others, proposal }) => {
        const prepares = await Promise.all(others.map((other) => prepare(other, { digest: ZERO })));
        const certificate = { proposal, block: proposal.block, prepares };
        return qbft.createRoundChange({ height: 1n, round: 1 }, certificate, others[0].sign);
      },
    ],
  ])("%s: rejected by the rule %s", async (_, rule, create) => {
    const world = await createWorld();
    const message = await create(world);

    await expect(world.height.received(message)).rejects.toMatchObject({ rule });
    await expect(world.height.received(message)).rejects.toBeInstanceOf(Rejected);
  });

  it(
    "change nothing, however they are mutated",
    async () => {
      const dice = createDice(11);
      const { height, honest, self } = await createWorld();
      let [unreadable, rejected, ignored] = [0, 0, 0];
      for (let count = 0; count < MESSAGES; count++) {
        const original = honest[dice(honest.length)];
        if (original === undefined) throw new Error("there are no messages");
        const bytes = mutate(original.bytes, dice);
        if (toHex(bytes) === toHex(original.bytes)) continue;
        const outcome = await receive(height, original, bytes);
        if (outcome === "unreadable") unreadable++;
        else if (outcome === "rejected") rejected++;
        else ignored++;
        expect(outcome).not.toBe("effects");
      }
      expect(unreadable).toBeGreaterThan(MESSAGES / 2);
      expect(rejected).toBeGreaterThan(0);
      // The unsigned part may change: it is the same message then.
      expect(ignored).toBeLessThan(MESSAGES / 20);
      expect(self).toBeDefined();
    },
    LIMIT_MS,
  );

  it(
    "do not fill the memory with future heights and rounds",
    async () => {
      const { others, validators } = await createWorld();
      const node = new SimulatedValidator({
        form,
        key: keyOf(1),
        validators,
        genesis: genesisOf(form, validators),
        clock: new FakeClock(START_MS),
        decided: () => {},
      });
      node.start();
      const peer = peerOf(others[0]);
      node.connect(peer);
      const flood = Math.min(MESSAGES, 20_000);
      const before = process.memoryUsage().heapUsed;
      for (let count = 0; count < flood; count++) {
        const id =
          count % 2 === 0 ? { height: BigInt(count + 2), round: 0 } : { height: 1n, round: count };
        const message = await qbft.createPrepare(id, ZERO, others[0].sign);
        node.received(peer, message.code, message.bytes);
        if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
      await node.crash({ losesHead: false });
    },
    LIMIT_MS,
  );
});

describe("rounds that end without a decision", () => {
  it("do not grow while too few validators are connected", async () => {
    const { height, others } = await createWorld();
    const kinds = async (work: Promise<readonly { readonly kind: string }[]>) =>
      (await work).map(({ kind }) => kind);

    expect(await kinds(height.roundExpired(0))).toEqual(["round", "send"]);
    expect(await kinds(height.roundExpired(1))).toEqual(["round"]);
    expect(height.round).toBe(1);
    await height.received(await roundChange(others[0], 1));
    await height.received(await roundChange(others[1], 1));
    expect(await kinds(height.roundExpired(1))).toEqual(["round", "send"]);
    expect(height.round).toBe(2);
  });
});

const START_MS = 1_700_000_000_000;
const ZERO: Hex = `0x${"00".repeat(32)}`;

interface Signer {
  readonly address: Address;
  readonly sign: Sign;
}

type Others = readonly [Signer, Signer, Signer];

interface World {
  readonly height: Height<
    Extract<Message, { kind: "proposal" }>,
    Extract<Message, { kind: "round-change" }>
  >;
  readonly validators: readonly Address[];
  readonly self: Signer;
  readonly others: Others;
  readonly stranger: Signer;
  readonly proposerOf: (round: number) => Signer;
  readonly block: Block;
  readonly digest: Hex;
  readonly proposal: Extract<Message, { kind: "proposal" }>;
  /** What the others would send. */
  readonly honest: readonly Message[];
}

/** A validator in round 0 of a height that has accepted the proposal. */
async function createWorld(): Promise<World> {
  const signers = [1, 2, 3, 4].map((number) => signerOf(keyOf(number)));
  const validators = signers.map(({ address }) => address).sort();
  const chain = new SimulatedChain(form, genesisOf(form, validators));
  const previous = chain.head().coinbase;
  const facts: HeightFacts = {
    height: 1n,
    validators,
    quorum: quorumOf(4),
    proposerOf: (round) => selectProposer({ validators, previous, round }),
  };
  const find = (address: Address | undefined) => {
    const found = signers.find((signer) => signer.address === address);
    if (found === undefined) throw new Error(`${address} is not a validator`);
    return found;
  };
  const proposerOf = (round: number) => find(facts.proposerOf(round));
  const self = find(validators[3]);
  const others = signers.filter((signer) => signer !== self) as unknown as Others;
  const { block } = chain.build(chain.head(), {
    timestamp: BigInt(START_MS / 1000 + 1),
    self: proposerOf(0).address,
    validators,
  });
  const height = new Height({
    dialect: qbft,
    facts,
    self: self.address,
    sign: self.sign,
    dueRound: () => 0,
    blocks: new TrustedBlocks(new BlockForm(qbftExtraData), () => undefined),
  });
  const proposal = await qbft.createProposal(
    { height: 1n, round: 0 },
    block,
    [],
    proposerOf(0).sign,
  );
  await height.start();
  await height.received(proposal);
  const { digest } = proposal;
  const hash = qbft.sealHashOf(block, 0);
  const honest: Message[] = [proposal];
  for (const other of others) {
    honest.push(await prepare(other, { digest }));
    honest.push(await commit(other, { digest, seal: await seal(other, hash) }));
    honest.push(await roundChange(other, 1));
  }
  const stranger = signerOf(keyOf(99));
  return {
    height,
    validators,
    self,
    others,
    stranger,
    proposerOf,
    block,
    digest,
    proposal,
    honest,
  };
}

async function receive(height: World["height"], original: Message, bytes: Uint8Array) {
  let message: Message;
  try {
    message = qbft.decode(original.code, bytes);
  } catch (error) {
    if (error instanceof RlpError) return "unreadable";
    throw error;
  }
  if (isDeepStrictEqual(message.signed, original.signed)) return "same";
  try {
    const effects = await height.received(message);
    return effects.length > 0 ? "effects" : "ignored";
  } catch (error) {
    if (error instanceof Rejected) return "rejected";
    throw error;
  }
}

function signerOf(key: Hex): Signer {
  const address = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
  return { address, sign: async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(key)) };
}

/** One of the four validators: non-validators are hardly processed. */
function peerOf({ address }: Signer): ProtocolPeer {
  const publicKeys = [1, 2, 3, 4].map((number) =>
    getCrypto().publicKeyOf(hexToBytes(keyOf(number))),
  );
  const publicKey = publicKeys.find((each) => getCrypto().addressOf(each) === address);
  if (publicKey === undefined) throw new Error(`${address} is not one of them`);
  const peer = {
    id: toHex(publicKey),
    enode: { host: "127.0.0.1" },
    send: () => true,
  };
  return peer as unknown as ProtocolPeer;
}

function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function prepare({ sign }: Signer, { digest }: Pick<BftMessage & { digest: Hex }, "digest">) {
  return qbft.createPrepare({ height: 1n, round: 0 }, digest, sign);
}

function commit({ sign }: Signer, content: { readonly digest: Hex; readonly seal: Uint8Array }) {
  return qbft.createCommit({ height: 1n, round: 0 }, content, sign);
}

function roundChange({ sign }: Signer, round: number) {
  return qbft.createRoundChange({ height: 1n, round }, undefined, sign);
}

async function seal({ sign }: Signer, hash: Hex): Promise<Uint8Array> {
  const { r, s, recovery } = await sign(hash);
  return Uint8Array.of(...r, ...s, recovery);
}
