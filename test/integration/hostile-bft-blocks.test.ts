import {
  type Address,
  type Block,
  decodeRlp,
  encodeRlp,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
  type ProtocolPeer,
  type Rlp,
  t,
  toHex,
} from "@plinth/core";
import { blockToRlp } from "@plinth/core/blocks";
import {
  BlockForm,
  bftSettings,
  ConfigAt,
  HeaderRules,
  Height,
  type Proposal,
  quorumOf,
  Rejected,
  type RoundChange,
  type Sign,
} from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { FakeClock } from "@plinth/testing";
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

describe("a block in a message whose extra data is malformed", () => {
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

describe("a block that others prepared and that is not valid here, because its time has not come", () => {
  it("keeps no timer of the round from starting, if this node has to propose it again", async () => {
    const { height, received } = await createSceptic();
    const effects = await received();

    expect(effects).toContainEqual({ kind: "round", round: 1 });
    expect(height.round).toBe(1);
  });

  it("keeps no timer from starting after a restart", async () => {
    const { height, certificate, commit } = await createSceptic();
    const effects = await height.start({ messages: [commit], certificate });

    expect(effects).toContainEqual({ kind: "round", round: 0 });
    expect(effects).toContainEqual({ kind: "send", message: commit });
  });
});

describe("what a validator was prepared for before a restart", () => {
  it.each([
    ["is dropped if a transition has replaced the validators since", "validators", false],
    ["is kept if only the clock was set back", "future", true],
  ])("%s", async (_, rule, isKept) => {
    const { height, certificate, commit } = await createSceptic(rule);
    await height.start({ messages: [commit], certificate });
    const effects = await height.roundExpired(0);
    const sent = effects.flatMap((effect) => (effect.kind === "send" ? [effect.message] : []));

    expect(sent).toMatchObject([{ kind: "round-change", round: 1 }]);
    expect(sent[0] !== undefined && "block" in sent[0] && sent[0].block !== undefined).toBe(isKept);
  });
});

describe("a proposal of this node from before a restart, whose block is not valid now", () => {
  it("is not accepted instead of a new one", async () => {
    const { height, block, self, changes } = await createSceptic();
    const id = { height: 1n, round: 1 };
    const proposal = await ibft.createProposal(id, block, await changes(), self);
    await height.start({ messages: [proposal], certificate: undefined });
    for (const change of await changes()) await height.received(change);

    expect(height.heardIn(1)?.proposal).toBeUndefined();
  });
});

describe("a validator that connects while a message is written to the disk", () => {
  it("receives it afterwards: what a crash would lose is not sent", async () => {
    const keys = [1, 2, 3, 4].map(keyOf).sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
    const [key = "0x", other = "0x"] = keys;
    const validators = keys.map(addressOf);
    const clock = new FakeClock(START_MS);
    const disk = createGate();
    const node = new SimulatedValidator({
      ...{ form: QBFT, key, validators, genesis: genesisOf(QBFT, validators), clock },
      beforeWrite: () => disk.opened,
      decided: () => {},
    });
    const sent: number[] = [];
    const peer = {
      id: toHex(getCrypto().publicKeyOf(hexToBytes(other))),
      send: (code: number) => sent.push(code),
    } as unknown as ProtocolPeer;
    node.start();
    await turns();
    await clock.advance(2000);
    await turns();
    node.connect(peer);
    expect(sent).toEqual([]);

    disk.open();
    await turns();
    expect(sent).toEqual([0x12, 0x13]);
    await node.crash({ losesHead: false });
  });
});

describe("a proposer that sends one invalid block after another", () => {
  it("is processed once", async () => {
    const { height, block, first, verified } = await createSceptic();
    await height.start();
    for (const gasUsed of [1n, 2n, 3n]) {
      const invalid = { ...block, header: { ...block.header, gasUsed } };
      const proposal = await ibft.createProposal({ height: 1n, round: 0 }, invalid, [], first);
      await expect(height.received(proposal)).rejects.toBeInstanceOf(Rejected);
    }

    expect(verified()).toBe(1);
  });
});

describe("a message with a long list of messages in it", () => {
  it.each([
    ["QBFT", QBFT, { proposal: 0x12, roundChange: 0x15 }],
    ["IBFT 2.0", IBFT, { proposal: 0, roundChange: 3 }],
  ] as const)("is dropped before their signatures are recovered: %s", async (_, form, codes) => {
    const { dialect } = form as SimulationForm<Proposal, RoundChange>;
    const { block, sign } = createWorld(form as SimulationForm<Proposal, RoundChange>);
    const proposal = await dialect.createProposal({ height: 1n, round: 0 }, block, [], sign);
    const { digest } = proposal;
    const prepare = await dialect.createPrepare({ height: 1n, round: 0 }, digest, sign);
    const prepares = Array.from({ length: 5 }, () => prepare);
    const certificate = { proposal, block, prepares };
    const change = await dialect.createRoundChange({ height: 1n, round: 1 }, certificate, sign);
    const reasons = Array.from({ length: 5 }, () => change);
    const id = { height: 1n, round: 1 };
    const { bytes } = await dialect.createProposal(id, block, reasons, sign);

    expect(() => dialect.decode(codes.roundChange, change.bytes, 4)).toThrow("5 messages");
    expect(() => dialect.decode(codes.proposal, bytes, 4)).toThrow("5 messages");
    expect(dialect.decode(codes.proposal, bytes, 5).kind).toBe("proposal");
  });
});

describe("a header with more of something than there are validators", () => {
  const config = new ConfigAt(settings, [], {
    activations: [],
    at: () => "london",
    isActive: () => false,
  });
  const clock = new FakeClock(START_MS + 1000);
  const rules = new HeaderRules({ ...QBFT, config, clock, isStrict: false });

  it("is rejected before 100,000 seals are recovered", () => {
    const { block, validators } = createWorld(QBFT);
    const seals = Array.from({ length: 100_000 }, () => new Uint8Array(65));
    const { header } = QBFT.form.withSeals(block, 0, seals);

    expect(() => rules.verifySeals(header, validators)).toThrow("100000 seals of 4 validators");
  });

  it("is rejected with a megabyte after the seals, which no hash covers", () => {
    const { block, genesis, validators } = createWorld(QBFT);
    const items = decodeRlp(block.header.extraData) as readonly Rlp[];
    const verify = (bytes: number) => {
      const extraData = encodeRlp([...items, new Uint8Array(bytes)]);
      const header = { ...block.header, extraData };
      expect(QBFT.form.hashOf(header)).toBe(QBFT.form.hashOf(block.header));
      const parent = { ...genesis, hash: block.header.parentHash };
      rules.verifyUnsealed(header, parent, { validators, isListed: true });
    };

    verify(100);
    expect(() => verify(2 ** 20)).toThrow("bytes after the seals, expected at most 1024");
  });

  it("is rejected without listing each of 100,000 validators", () => {
    const { block, genesis, validators } = createWorld(QBFT);
    const listed = Array.from({ length: 100_000 }, (): Address => `0x${"aa".repeat(20)}`);
    const data = qbftExtraData.decode(block.header.extraData);
    const extraData = qbftExtraData.encode({ ...data, validators: listed });
    const parent = { ...genesis, hash: block.header.parentHash };
    const authority = { validators, isListed: true };

    expect(() => rules.verifyUnsealed({ ...block.header, extraData }, parent, authority)).toThrow(
      "it lists 100000 validators, expected 4",
    );
  });
});

/** An IBFT 2.0 validator that considers no block valid, and what three others were prepared for. */
async function createSceptic(rule = "future") {
  const signers = [1, 2, 3, 4]
    .map(keyOf)
    .sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1))
    .map(
      (key): Sign =>
        async (hash) =>
          getCrypto().sign(hexToBytes(hash), hexToBytes(key)),
    );
  const validators = [1, 2, 3, 4].map(keyOf).map(addressOf).sort();
  const [first, self, third, fourth] = signers as [Sign, Sign, Sign, Sign];
  const { block } = createWorld(IBFT);
  let count = 0;
  const reject = async () => {
    count++;
    throw new Rejected(rule, "the block is not valid");
  };
  const height = new Height({
    dialect: ibft,
    facts: {
      height: 1n,
      validators,
      quorum: quorumOf(4),
      proposerOf: (round) => validators[round % 4],
    },
    self: validators[1] ?? "0x",
    sign: self,
    dueRound: () => 0,
    blocks: {
      build: async () => block,
      verify: reject,
      verifyHeader: reject,
      find: () => undefined,
    },
  });
  const id = { height: 1n, round: 0 };
  const proposal = await ibft.createProposal(id, block, [], first);
  const { digest } = proposal;
  const prepares = await Promise.all(
    [third, fourth].map((sign) => ibft.createPrepare(id, digest, sign)),
  );
  const certificate = { proposal, block, prepares };
  return {
    height,
    block,
    first,
    self,
    certificate,
    /** Number of verified blocks. */
    verified: () => count,
    commit: await ibft.createCommit(id, { digest, seal: new Uint8Array(65) }, self),
    /** Three round changes of validators that were not prepared. */
    changes: () =>
      Promise.all(
        [first, third, fourth].map((sign) =>
          ibft.createRoundChange({ height: 1n, round: 1 }, undefined, sign),
        ),
      ),
    /** Three round changes; returns the result of the last. */
    async received() {
      const effects: unknown[] = [];
      await height.start();
      for (const sign of [first, third, fourth]) {
        const change = await ibft.createRoundChange({ height: 1n, round: 1 }, certificate, sign);
        effects.push(...(await height.received(change)));
      }
      return effects;
    },
  };
}

/** Signs the height and the round of a payload followed by something else. */
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
  const peer = {
    id: `0x${"11".repeat(64)}`,
    enode: { host: "127.0.0.1" },
    send: () => true,
    report: () => {},
  };
  node.start();
  return {
    block,
    genesis,
    validators,
    unreadable,
    sign,
    async receive(code: number, bytes: Uint8Array) {
      await turns();
      node.received(peer as unknown as ProtocolPeer, code, bytes);
      await turns();
    },
    /** Whether it still takes part. */
    async isAlive() {
      const isAlive = node.isTakingPart;
      await node.crash({ losesHead: false });
      return isAlive;
    },
  };
}

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
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
