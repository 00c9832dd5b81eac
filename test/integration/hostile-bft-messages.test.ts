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
import { blockToRlp, decodeTransaction } from "@plinth/core/blocks";
import type { PeerReport } from "@plinth/core/network";
import {
  BlockForm,
  bftSettings,
  type Proposal,
  type RoundChange,
  type Sign,
} from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { FakeClock, MAX_SLICE_MS, measureSlices } from "@plinth/testing";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { SimulatedChain } from "../network/simulator/simulated-chain.js";
import {
  SimulatedValidator,
  type SimulationForm,
} from "../network/simulator/simulated-validator.js";
import { genesisOf } from "../network/simulator/simulation.js";

const START_MS = 1_700_000_000_000;
const settings = t.object(bftSettings).decode({});
const MEGABYTE = 2 ** 20;
/** Just below the limit of the wire protocol. */
const LARGE_BYTES = 9_000_000;

type Form = SimulationForm<Proposal, RoundChange>;
const ENGINES = [
  ["QBFT", formOf(qbft, qbftExtraData), { proposal: 0x12, roundChange: 0x15 }],
  ["IBFT 2.0", formOf(ibft, ibftExtraData), { proposal: 0, roundChange: 3 }],
] as const;
const IBFT = ENGINES[1][1];

beforeAll(async () => {
  await loadCrypto();
});

const nodes: SimulatedValidator<Proposal, RoundChange>[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.crash({ losesHead: false });
});

describe("a proposal of a non-validator", () => {
  it("costs one signature, however many are in it: IBFT 2.0 with 323 of them", async () => {
    const world = await createWorld(IBFT);
    const stranger = world.peerOf(keyOf(99));
    const messages: Uint8Array[] = [];
    for (let gasUsed = 0n; gasUsed < 16n; gasUsed++) {
      messages.push(await manySignatures(world, { ...world.block.header, gasUsed }));
    }
    expect(messages[0]?.length).toBeGreaterThan(30_000);

    const recovered = await countRecovered(async () => {
      const slice = await slowestSlice(async () => {
        for (const bytes of messages) world.node.received(stranger, 0, bytes);
        await turns();
      });
      expect(slice).toBeLessThan(MAX_SLICE_MS);
    });

    expect(recovered).toBe(16);
  });

  it.each(ENGINES)("is not read at all if it has megabytes: %s", async (_, form, codes) => {
    const world = await createWorld(form);
    const stranger = world.peerOf(keyOf(99));
    const { bytes } = await form.dialect.createProposal(
      { height: 1n, round: 0 },
      withTransactions(world.block, 95_000),
      [],
      signWith(keyOf(99)),
    );
    expect(bytes.length).toBeGreaterThan(LARGE_BYTES);

    const slice = await slowestSlice(async () => {
      world.node.received(stranger, codes.proposal, bytes);
      await turns();
    });

    expect(world.readings()).toBe(0);
    expect(slice).toBeLessThan(MAX_SLICE_MS);
  });

  it("counts towards its network address, under any key", async () => {
    const world = await createWorld(IBFT);
    const proposal = await proposalOf(world, keyOf(99));
    for (let number = 0; number < 50; number++) {
      const stranger = world.peerOf(keyOf(1000 + number));
      world.node.connect(stranger);
      for (let round = 0; round < 50; round++) {
        world.node.received(stranger, 0, withRound(proposal, number * 50 + round));
      }
      world.node.disconnect(stranger);
      await turns();
    }

    expect(world.readings()).toBe(64);
  });

  it("does not count against a validator of the same network address", async () => {
    const world = await createWorld(IBFT);
    const proposal = await proposalOf(world, keyOf(99));
    const stranger = world.peerOf(keyOf(99));
    for (let round = 0; round < 100; round++) {
      world.node.received(stranger, 0, withRound(proposal, round));
    }
    await turns();
    const before = world.readings();
    const validator = world.connect(1);
    for (let round = 0; round < 100; round++) {
      const { bytes } = await ibft.createRoundChange(
        { height: 1n, round: 1 + round },
        undefined,
        world.signOf(1),
      );
      world.node.received(validator.peer, 3, bytes);
    }
    await turns();

    expect(before).toBe(16);
    expect(world.readings()).toBe(16 + 2 * 100);
  });
});

describe("a proposal of a validator", () => {
  it("is dropped at the first nested signature of a non-validator", async () => {
    const world = await createWorld(IBFT);
    const { peer } = world.connect(1);
    const changes = await Promise.all(
      [keyOf(77), ...[0, 1, 2].map((index) => world.keys[index] as Hex)].map((key) =>
        ibft.createRoundChange({ height: 1n, round: 1 }, undefined, signWith(key)),
      ),
    );
    const id = { height: 1n, round: 1 };
    const { bytes } = await ibft.createProposal(id, world.block, changes, world.signOf(1));

    const recovered = await countRecovered(async () => {
      world.node.received(peer, 0, bytes);
      await turns();
    });

    expect(recovered).toBe(2);
  });

  it("has each nested signature recovered once, also if another message repeats it", async () => {
    const world = await createWorld(IBFT);
    const { peer } = world.connect(1);
    const id = { height: 1n, round: 0 };
    const proposal = await ibft.createProposal(id, world.block, [], world.signOf(0));
    const prepares = await Promise.all(
      [1, 2].map((index) => ibft.createPrepare(id, proposal.digest, world.signOf(index))),
    );
    const certificate = { proposal, block: world.block, prepares };
    const changes = await Promise.all(
      [1, 2].map((index) =>
        ibft.createRoundChange({ height: 1n, round: 1 }, certificate, world.signOf(index)),
      ),
    );

    const recovered = await countRecovered(async () => {
      for (const { code, bytes } of changes) world.node.received(peer, code, bytes);
      await turns();
    });

    // The two round changes; the proposal and its two prepares once; the round change that this
    // node sends in response.
    expect(recovered).toBe(2 + 3 + 1);
  });

  it.each(ENGINES)("is dropped if gas cannot pay for its transactions: %s", async (...given) => {
    const [, form, codes] = given;
    const world = await createWorld(form);
    const { peer } = world.connect(0);
    const heard = world.connect(2);
    const block = withTransactions(world.block, 10_000);
    const id = { height: 1n, round: 0 };
    const { bytes } = await form.dialect.createProposal(id, block, [], world.signOf(0));

    const slice = await slowestSlice(async () => {
      world.node.received(peer, codes.proposal, bytes);
      await turns();
    });

    expect(heard.sent).toEqual([]);
    expect(slice).toBeLessThan(MAX_SLICE_MS);
  });

  it.each(ENGINES)("is decoded in turns if it has megabytes: %s", async (_, form, codes) => {
    const world = await createWorld(form, 2n ** 53n);
    const { peer } = world.connect(0);
    const heard = world.connect(2);
    const block = withTransactions(world.block, 20_000);
    const id = { height: 1n, round: 0 };
    const { bytes } = await form.dialect.createProposal(id, block, [], world.signOf(0));
    // It is relayed when it is decoded; the root of its transactions is computed after that.
    const slice = await slowestSlice(async () => {
      const read = heard.nextSent(() => {});
      world.node.received(peer, codes.proposal, bytes);
      await read;
    });

    expect(slice).toBeLessThan(MAX_SLICE_MS);
  });
});

describe("one round change with ever-changing blocks", () => {
  it("is decoded a few times, and the true one of another peer after that", async () => {
    const world = await createWorld(IBFT);
    const [liar, author, heard] = [world.connect(1), world.connect(0), world.connect(2)];
    const id = { height: 1n, round: 0 };
    const proposal = await ibft.createProposal(id, world.block, [], world.signOf(0));
    const prepares = await Promise.all(
      [1, 2].map((index) => ibft.createPrepare(id, proposal.digest, world.signOf(index))),
    );
    const certificate = { proposal, block: world.block, prepares };
    const change = await ibft.createRoundChange(
      { height: 1n, round: 1 },
      certificate,
      world.signOf(0),
    );
    for (let count = 1; count <= 50; count++) {
      const garbled = withTransactions(world.block, count);
      world.node.received(
        liar.peer,
        change.code,
        encodeRlp([change.signed, blockToRlp({ ...garbled, header: world.block.header })]),
      );
    }
    await turns();
    const { length } = heard.sent;
    world.node.received(author.peer, change.code, change.bytes);
    await turns();

    expect(length).toBe(4);
    expect(heard.sent.slice(length)).toEqual([toHex(change.bytes)]);
  });

  it("is not decoded for ever more rounds either", async () => {
    const world = await createWorld(IBFT);
    const [liar, heard] = [world.connect(0), world.connect(2)];
    const id = { height: 1n, round: 0 };
    const proposal = await ibft.createProposal(id, world.block, [], world.signOf(0));
    const prepares = await Promise.all(
      [1, 2].map((index) => ibft.createPrepare(id, proposal.digest, world.signOf(index))),
    );
    const block = withTransactions(world.block, 3);
    const certificate = { proposal, block: { ...block, header: world.block.header }, prepares };
    for (let round = 1; round <= 50; round++) {
      const change = await ibft.createRoundChange(
        { height: 1n, round },
        certificate,
        world.signOf(0),
      );
      world.node.received(liar.peer, change.code, change.bytes);
    }
    await turns();

    expect(heard.sent).toHaveLength(8);
  });
});

describe("peers that send malformed messages", () => {
  it("are reported, unless they are validators", async () => {
    const world = await createWorld(IBFT);
    const stranger = world.connectStranger(keyOf(99));
    const validator = world.connect(1);
    for (let byte = 0; byte < 5; byte++) {
      for (const { peer } of [stranger, validator]) {
        world.node.received(
          peer,
          0,
          Uint8Array.of(0xc2, 0x01, byte, peer === stranger.peer ? 1 : 2),
        );
      }
    }
    await turns();

    expect(stranger.reports).toHaveLength(5);
    expect(stranger.reports[0]).toEqual({ outcome: "useless", request: "consensus message" });
    expect(validator.reports).toEqual([]);
  });

  it("are not reported for messages of other heights, or of non-validators", async () => {
    const world = await createWorld(IBFT);
    const stranger = world.connectStranger(keyOf(99));
    for (const height of [0n, 1n, 2n, 500n]) {
      const { code, bytes } = await ibft.createRoundChange(
        { height, round: 1 },
        undefined,
        signWith(keyOf(99)),
      );
      world.node.received(stranger.peer, code, bytes);
    }
    await turns();

    expect(stranger.reports).toEqual([]);
  });
});

function formOf(dialect: object, codec: typeof qbftExtraData): Form {
  return { dialect, codec, form: new BlockForm(codec), settings } as unknown as Form;
}

/** The last of four validators, at block 1; the first is the proposer of round 0. */
async function createWorld(form: Form, gasLimit = 30_000_000n) {
  const keys = [1, 2, 3, 4].map(keyOf).sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
  const validators = keys.map(addressOf);
  const genesis = { ...genesisOf(form, validators), gasLimit };
  let readings = 0;
  const counted = <F extends (...given: never[]) => unknown>(read: F | undefined): F =>
    ((...given: never[]) => {
      readings++;
      return read?.(...given);
    }) as F;
  const { dialect } = form;
  const node = new SimulatedValidator<Proposal, RoundChange>({
    form: {
      ...form,
      dialect: {
        ...dialect,
        open: counted(dialect.open),
        read: counted(dialect.read),
        decode: counted(dialect.decode),
      },
    },
    key: keys[3] as Hex,
    validators,
    genesis,
    clock: new FakeClock(START_MS),
    decided: () => {},
  });
  nodes.push(node);
  const chain = new SimulatedChain(form, genesis);
  const built = chain.build(chain.head(), {
    timestamp: BigInt(START_MS / 1000 + 1),
    self: validators[0] as Address,
    validators,
  });
  const block = { ...built.block, header: { ...built.block.header, gasLimit } };
  node.start();
  await turns();
  const connect = (key: Hex) => {
    const reports: PeerReport[] = [];
    const sent: Hex[] = [];
    let heard = () => {};
    const peer = {
      ...peerOf(key),
      report: (report: PeerReport) => reports.push(report),
      send: (_: number, bytes: Uint8Array) => {
        heard();
        if (bytes.length < MEGABYTE) sent.push(toHex(bytes));
      },
    } as unknown as ProtocolPeer;
    node.connect(peer);
    /** What is recorded when the next message was sent to it, at that moment. */
    const nextSent = <T>(find: () => T) =>
      new Promise<T>((resolve) => {
        heard = () => resolve(find());
      });
    return { peer, sent, reports, nextSent };
  };
  return {
    node,
    block,
    keys,
    /** Number of times a message, or a part of it, was decoded. */
    readings: () => readings,
    signOf: (index: number) => signWith(keys[index] as Hex),
    connect: (index: number) => connect(keys[index] as Hex),
    connectStranger: connect,
    peerOf,
  };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** 17 round changes of one author, each with a proposal and 17 prepares. */
async function manySignatures({ block }: World, header: Block["header"]): Promise<Uint8Array> {
  const sign = signWith(keyOf(99));
  const id = { height: 1n, round: 0 };
  const changed = { ...block, header };
  const proposal = await ibft.createProposal(id, changed, [], sign);
  const prepare = await ibft.createPrepare(id, proposal.digest, sign);
  const prepares = Array.from({ length: 17 }, () => prepare);
  const change = await ibft.createRoundChange(
    { height: 1n, round: 1 },
    { proposal, block: changed, prepares },
    sign,
  );
  const reasons = Array.from({ length: 17 }, () => change);
  return (await ibft.createProposal({ height: 1n, round: 1 }, changed, reasons, sign)).bytes;
}

async function proposalOf({ block }: World, key: Hex): Promise<readonly Rlp[]> {
  const { bytes } = await ibft.createProposal({ height: 1n, round: 0 }, block, [], signWith(key));
  return decodeRlp(bytes) as readonly Rlp[];
}

/** The proposal with another round, and therefore of another author. */
function withRound([signed, ...rest]: readonly Rlp[], round: number): Uint8Array {
  const [payload, signature] = signed as readonly Rlp[];
  const [height, , digest] = payload as readonly Rlp[];
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, round);
  return encodeRlp([[[height ?? [], bytes, digest ?? []], signature ?? []], ...rest]);
}

function withTransactions({ header, body }: Block, count: number): Block {
  const word = new Uint8Array(32).fill(1);
  const transaction = decodeTransaction(
    encodeRlp([
      ...[Uint8Array.of(1), Uint8Array.of(1), Uint8Array.of(0x52, 0x08)],
      ...[new Uint8Array(20), Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(27), word, word],
    ]),
  );
  return {
    header,
    body: { ...body, transactions: Array.from({ length: count }, () => transaction) },
  };
}

async function countRecovered(work: () => Promise<void>): Promise<number> {
  const crypto = getCrypto() as { recover: ReturnType<typeof getCrypto>["recover"] };
  const { recover } = crypto;
  let count = 0;
  crypto.recover = (...given) => {
    count++;
    return recover(...given);
  };
  try {
    await work();
  } finally {
    crypto.recover = recover;
  }
  return count;
}

/** Maximum time the event loop is blocked at a stretch. */
async function slowestSlice(work: () => Promise<void>): Promise<number> {
  const [slowest = 0] = await measureSlices(work);
  return slowest;
}

function peerOf(key: Hex): ProtocolPeer {
  return {
    id: toHex(getCrypto().publicKeyOf(hexToBytes(key))),
    enode: { host: "127.0.0.1" },
    send: () => true,
    report: () => {},
  } as unknown as ProtocolPeer;
}

function signWith(key: Hex): Sign {
  return async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(key));
}

function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function addressOf(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
