import {
  type Address,
  type Block,
  encodeRlp,
  getCrypto,
  type Hash,
  type Hex,
  hexToBytes,
  loadCrypto,
  type ProtocolPeer,
  type ProtocolSession,
  t,
  toHex,
} from "@plinth/core";
import { blockToRlp } from "@plinth/core/blocks";
import {
  BlockExchange,
  BlockForm,
  bftSettings,
  type Commit,
  type Effect,
  Height,
  type Proposal,
  quorumOf,
  Rejected,
  type RoundChange,
  type Sign,
} from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { SimulatedChain } from "../network/simulator/simulated-chain.js";
import type { SimulationForm } from "../network/simulator/simulated-validator.js";
import { genesisOf } from "../network/simulator/simulation.js";
import { TrustedBlocks } from "../support/trusted-blocks.js";

const settings = t.object(bftSettings).decode({});
type Engine = readonly [string, SimulationForm<Proposal, RoundChange>];
type Lie = readonly [string, (block: Block) => Block];

const ENGINES = [
  ["QBFT", { dialect: qbft, codec: qbftExtraData, form: new BlockForm(qbftExtraData), settings }],
  [
    "IBFT 2.0",
    { dialect: ibft, codec: ibftExtraData, form: new BlockForm(ibftExtraData), settings },
  ],
] as unknown as readonly Engine[];

/** Bodies that the header does not commit to. */
const LIES: readonly Lie[] = [
  ["uncles", ({ header, body }) => ({ header, body: { ...body, uncles: [header] } })],
  ["withdrawals", ({ header, body }) => ({ header, body: { ...body, withdrawals: [] } })],
];

const CASES = ENGINES.flatMap(([engine, form]) =>
  LIES.map(([lie, change]) => [engine, lie, form, change] as const),
);

beforeAll(async () => {
  await loadCrypto();
});

describe("a validator whose journal has its prepared block with a wrong body", () => {
  it.each(CASES)("claims nothing, and requests the block: %s, %s", async (_, __, form, change) => {
    const { height, restart } = await createValidator(form);
    await restart(change);

    const effects = await height.roundExpired(0);

    expect(kindsOf(effects)).toEqual(["round", "request"]);
    expect(height.lostBlock?.number).toBe(1n);
    expect(kindsOf(await height.roundLasts())).toEqual(["request"]);
  });

  it.each(CASES)("claims it once another sends it: %s, %s", async (_, __, form, change) => {
    const { height, restart, block } = await createValidator(form);
    await restart(change);
    await height.roundExpired(0);

    expect(await height.receivedBlock(change(block))).toEqual([]);
    const effects = await height.receivedBlock(block);

    expect(sentBy(effects)).toMatchObject([{ kind: "round-change", round: 1, preparedRound: 0 }]);
    expect(height.lostBlock).toBeUndefined();
  });

  it.each(CASES)("stores it for the next restart: %s, %s", async (_, __, form, change) => {
    const { height, restart, block } = await createValidator(form);
    await restart(change);
    await height.roundExpired(0);
    const effects = await height.receivedBlock(block);
    const kept = effects.find((effect) => effect.kind === "keep");

    const again = await createValidator(form);
    await again.height.start({ messages: sentBy(effects), certificate: kept?.certificate });

    expect(kept?.certificate.block?.body).toEqual(block.body);
    expect(again.height.lostBlock).toBeUndefined();
  });

  it("claims it with only its own prepares, if others arrive meanwhile: QBFT", async () => {
    const [[, form], [, change]] = [ENGINES[0], LIES[0]] as [Engine, Lie];
    const { height, facts, restart, block, prepareOf } = await createValidator(form);
    await restart(change);
    await height.received(await prepareOf(0, `0x${"99".repeat(32)}`));
    await height.roundExpired(0);

    const [message] = sentBy(await height.receivedBlock(block));

    await form.dialect.verifyRoundChange(message as RoundChange, facts, async () => {});
  });

  it.each(CASES)("accepts it from a round change: %s, %s", async (_, __, form, change) => {
    const { height, restart, roundChangeOf, block } = await createValidator(form);
    await restart(change);
    await height.roundExpired(0);

    const lying = height.received(await roundChangeOf(1, change(block)));
    await expect(lying).rejects.toMatchObject({ name: "Rejected" });
    const effects = await height.received(await roundChangeOf(1, block));

    expect(sentBy(effects)).toMatchObject([{ kind: "round-change", round: 1, preparedRound: 0 }]);
  });

  it.each(CASES)("decides it in the round it was prepared in: %s, %s", async (...given) => {
    const [, , form, change] = given;
    const { height, restart, block, commitOf } = await createValidator(form);
    await restart(change);
    for (const index of [1, 2]) await height.received(await commitOf(index));

    const effects = await height.receivedBlock(block);

    expect(kindsOf(effects)).toContain("decide");
  });
});

describe("a validator whose prepared block is no longer valid, as after a transition that changes its execution", () => {
  it.each(ENGINES)("claims it anyway, and reports why: %s", async (_, form) => {
    const { height, restart, rejectBlocks } = await createValidator(form);
    rejectBlocks("block 1: state-root is wrong");
    await restart((block) => block);

    const effects = await height.roundExpired(0);

    expect(height.preparedProblem).toBe("block 1: state-root is wrong");
    expect(sentBy(effects)).toMatchObject([{ kind: "round-change", round: 1, preparedRound: 0 }]);
  });
});

describe("a QBFT block with a round that no validator tries", () => {
  it.each([7, 2 ** 31 - 1])("is proposed again unchanged: round %i", async (strange) => {
    const [, form] = ENGINES[0] as Engine;
    const { height, facts, self, block, prepare, roundChangeOf } = await createValidator(form, {
      turn: 1,
      carried: strange,
    });
    await prepare();

    await height.roundExpired(0);
    await height.received(await roundChangeOf(2, block));
    await height.received(await roundChangeOf(3, block));
    // Until then it waits for round changes that Besu accepts.
    const effects = await height.roundLasts();

    const [proposal] = sentBy(effects).filter(({ kind }) => kind === "proposal");
    expect(proposal).toMatchObject({ round: 1, author: self });
    await form.dialect.verifyProposal(proposal as Proposal, facts, async () => {});
  });
});

describe("blocks that validators request from each other", () => {
  it.each(ENGINES)("come from those that have them: %s", async (_, form) => {
    const { block, validators, ids } = await createValidator(form);
    const { asker, server, received } = connect(form, { validators, ids, served: block });

    asker.exchange.request(form.form.hashOf(block.header));
    await new Promise((resolve) => setImmediate(resolve));

    expect(received).toEqual([block]);
    expect(server.sent).toBe(1);
  });

  it.each(ENGINES)("are ignored if they were not requested: %s", async (_, form) => {
    const { block, validators, ids } = await createValidator(form);
    const { asker, session, received } = connect(form, { validators, ids, served: undefined });
    const answer = encodeRlp([blockToRlp(block)]);

    await session.received(1, answer);
    asker.exchange.request(form.form.hashOf(block.header));
    await session.received(1, answer);
    await session.received(1, answer);

    expect(received).toHaveLength(1);
  });

  it.each(ENGINES)("are not accepted with a wrong body: %s", async (_, form) => {
    const { block, validators, ids } = await createValidator(form);
    const { asker, session, received } = connect(form, { validators, ids, served: undefined });
    const [[, change]] = LIES as unknown as readonly [Lie];

    for (const each of [change(block), block]) {
      asker.exchange.request(form.form.hashOf(block.header));
      await session.received(1, encodeRlp([blockToRlp(each)]));
    }

    expect(received).toEqual([]);
  });

  it.each(ENGINES)(
    "are not accepted from a liar, nor sent to non-validators: %s",
    async (...given) => {
      const [, form] = given;
      const { block, validators, ids } = await createValidator(form);
      const { asker, session, received, server } = connect(form, {
        validators,
        ids,
        served: undefined,
      });
      const { header, body } = block;
      const other = { header: { ...header, gasLimit: 1n }, body };

      asker.exchange.request(form.form.hashOf(block.header));
      await session.received(1, encodeRlp([blockToRlp(other)]));
      asker.exchange.request(form.form.hashOf(block.header));
      await session.received(1, encodeRlp([blockToRlp(block)]));

      expect(received).toEqual([]);
      const stranger = connect(form, { validators: [], ids, served: block });
      await stranger.server.session.received(
        0,
        encodeRlp([hexToBytes(form.form.hashOf(block.header))]),
      );
      expect([server.sent, stranger.server.sent]).toEqual([0, 0]);
    },
  );
});

type Kinds = Effect<Proposal, RoundChange>;

function kindsOf(effects: readonly Kinds[]): readonly string[] {
  return effects.map(({ kind }) => kind);
}

function sentBy(effects: readonly Kinds[]) {
  return effects.flatMap((effect) => (effect.kind === "send" ? [effect.message] : []));
}

/** The fourth of four validators at block 1, which the first proposes; with `turn`, the one whose turn is that round. */
async function createValidator(
  form: SimulationForm<Proposal, RoundChange>,
  { turn = 3, carried = 0 }: { readonly turn?: number; readonly carried?: number } = {},
) {
  const { dialect } = form;
  const keys = [1, 2, 3, 4]
    .map((number): Hex => `0x${number.toString(16).padStart(64, "0")}`)
    .sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
  const signs = keys.map(
    (key): Sign =>
      async (hash) =>
        getCrypto().sign(hexToBytes(hash), hexToBytes(key)),
  );
  const signOf = (index: number) => signs[index] as Sign;
  const validators = keys.map(addressOf);
  const self = validators[turn] ?? "0x";
  const others = [0, 1, 2, 3].filter((index) => index !== turn);
  const chain = new SimulatedChain(form, genesisOf(form, validators));
  const built = chain.build(chain.head(), {
    timestamp: chain.head().timestamp + 1n,
    self: validators[0] ?? "0x",
    validators,
  });
  const block = form.form.withRound(built.block, carried);
  const facts = {
    height: 1n,
    validators,
    quorum: quorumOf(4),
    proposerOf: (round: number) => validators[round % 4],
  };
  const blocks = new TrustedBlocks(form.form, () => undefined);
  const height = new Height({
    dialect,
    facts,
    self,
    sign: signOf(turn),
    blocks,
    dueRound: () => 0,
  });
  const id = { height: 1n, round: 0 };
  const proposal = await dialect.createProposal(id, block, [], signOf(0));
  const { digest } = proposal;
  const prepares = await Promise.all(
    [1, 2, 3].map((index) => dialect.createPrepare(id, digest, signOf(index))),
  );
  const commitOf = async (index: number): Promise<Commit> => {
    const { r, s, recovery } = await signOf(index)(dialect.sealHashOf(block, 0));
    const seal = Uint8Array.of(...r, ...s, recovery);
    return dialect.createCommit(id, { digest, seal }, signOf(index));
  };
  return {
    height,
    facts,
    self,
    block,
    validators,
    ids: keys.map((key) => toHex(getCrypto().publicKeyOf(hexToBytes(key)))),
    commitOf,
    /** From now on no block is valid. */
    rejectBlocks(message: string) {
      blocks.verify = async () => {
        throw new Rejected("state-root", message);
      };
    },
    /**
     * Starts it after a restart: it has signed a commit, and the body in its journal was changed.
     */
    async restart(change: (block: Block) => Block) {
      const certificate = { proposal: { ...proposal, block: change(block) }, prepares };
      await height.start({ messages: [await commitOf(turn)], certificate });
    },
    /** Starts it and lets it be prepared in round 0. */
    async prepare() {
      await height.start();
      await height.received(proposal);
      for (const index of others.filter((each) => each !== 0)) {
        const prepare = prepares[index - 1];
        if (prepare !== undefined) await height.received(prepare);
      }
      await height.received(await dialect.createPrepare(id, digest, signOf(0)));
    },
    prepareOf: (index: number, other: Hash) => dialect.createPrepare(id, other, signOf(index)),
    /** A round change to round 1 of another, with this block. */
    roundChangeOf: (index: number, claimed: Block) =>
      dialect.createRoundChange(
        { height: 1n, round: 1 },
        { proposal, prepares, block: claimed },
        signOf(index),
      ),
  };
}

/** A validator that asks and one that serves. */
function connect(
  form: SimulationForm<Proposal, RoundChange>,
  given: {
    readonly validators: readonly Address[];
    readonly ids: readonly Hex[];
    readonly served: Block | undefined;
  },
) {
  const received: Block[] = [];
  const server = { sent: 0, session: undefined as never as ProtocolSession };
  const create = (findBlock: () => Block | undefined) =>
    new BlockExchange({
      ...form,
      validators: () => given.validators,
      findBlock,
      received: (block) => received.push(block),
    });
  const [asking, serving] = [create(() => undefined), create(() => given.served)];
  const peer = (id: Hex | undefined, send: ProtocolSession["received"]) =>
    ({ id, protocol: { name: "test", version: 1 }, send }) as unknown as ProtocolPeer;
  const session = asking.connect(
    peer(given.ids[0], (code, payload) => server.session.received(code, payload)),
  );
  server.session = serving.connect(
    peer(given.ids[1], (code, payload) => {
      server.sent++;
      return session.received(code, payload);
    }),
  );
  return { asker: { exchange: asking }, server, session, received };
}

function addressOf(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}
