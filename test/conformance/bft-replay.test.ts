import { encodeRlp, loadCrypto, type Rlp, toHex } from "@plinth/core";
import { type BftMessage, BlockForm, type Proposal } from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { createDialect, qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { replay } from "../support/bft-replay.js";

const QBFT = { folder: "qbft", protocol: "istanbul", dialect: qbft, codec: qbftExtraData };
/** Blocks have round 0, like those of the recorded validators. */
const ROUND_ZERO = { ...QBFT, dialect: createDialect("zero") };
const IBFT = { folder: "ibft2", protocol: "IBF", dialect: ibft, codec: ibftExtraData };
const FORM = new BlockForm(qbftExtraData);

beforeAll(async () => {
  await loadCrypto();
});

describe("a QBFT validator with a recorded key that receives the messages of the others", () => {
  it.each([
    ["qbft/1-normal", 40],
    ["qbft/1b-burst", 16],
    ["qbft/2a-roundchange-prepared", 16],
    ["qbft/2b-roundchange-one-prepared", 16],
    ["qbft/2c-roundchange-proposer-killed", 32],
    ["qbft/4-validator-vote", 75],
  ])(
    "sends the recorded messages of %s at heights decided in round 0",
    async (scenario, heights) => {
      const replayed = (await replay(scenario, QBFT)).filter(({ decidedIn }) => decidedIn === 0);

      for (const { sent, recorded, height } of replayed) {
        expect(bytesOf(sent), `height ${height}`).toEqual(bytesOf(recorded));
      }
      expect(replayed.length).toBe(heights);
    },
  );

  it.each([
    ["qbft/2a-roundchange-prepared", 4],
    ["qbft/2b-roundchange-one-prepared", 4],
    ["qbft/2c-roundchange-proposer-killed", 10],
  ])(
    "sends the recorded messages of later rounds of %s, where blocks have round 0",
    async (scenario, heights) => {
      const replayed = (await replay(scenario, ROUND_ZERO)).filter(
        ({ decidedIn }) => decidedIn !== 0,
      );

      for (const { sent, recorded, height } of replayed) {
        expect(contentsOf(sent), `height ${height}`).toEqual(contentsOf(recorded));
      }
      expect(replayed.length).toBe(heights);
    },
  );

  it("proposes the same blocks in later rounds, which contain the round", async () => {
    const proposals = (messages: readonly BftMessage[]) =>
      messages.filter(
        (message) => message.kind === "proposal" && message.round > 0,
      ) as readonly Proposal[];
    let count = 0;
    for (const scenario of ["qbft/2a-roundchange-prepared", "qbft/2b-roundchange-one-prepared"]) {
      for (const { sent, recorded } of await replay(scenario, QBFT)) {
        expect(proposals(sent).map(({ block }) => FORM.hashOf(block.header))).toEqual(
          proposals(recorded).map(({ block }) => FORM.hashOf(block.header)),
        );
        for (const { block, round } of proposals(sent)) {
          count++;
          expect(qbftExtraData.decode(block.header.extraData).round).toBe(round);
        }
      }
    }
    expect(count).toBe(2);
  });

  it("continues where the recorded network stalled forever", async () => {
    const replayed = await replay("qbft/2d-prepared-in-round-1-deadlock", QBFT);
    const stuck = replayed.filter(({ decidedIn }) => decidedIn === undefined);

    // The recorded validators prepare nothing after round 1 except their own proposals.
    const prepares = (messages: readonly BftMessage[]) =>
      messages.filter(({ kind, round }) => kind === "prepare" && round > 1).length;
    expect(stuck.map(({ height }) => height)).toEqual([385n, 385n, 385n, 385n]);
    for (const { sent, recorded } of stuck) {
      expect(prepares(sent)).toBeGreaterThan(prepares(recorded));
    }
  });
});

describe("an IBFT 2.0 validator with a recorded key that receives the messages of the others", () => {
  it.each([
    ["ibft2/1-normal", 40],
    ["ibft2/2a-roundchange-prepared", 19],
    ["ibft2/2b-roundchange-one-prepared", 20],
    ["ibft2/2c-roundchange-proposer-killed", 39],
    ["ibft2/2d-prepared-in-round-1", 16],
    ["ibft2/4-validator-vote", 84],
  ])("sends the recorded messages of %s", async (scenario, heights) => {
    const replayed = await replay(scenario, IBFT);

    for (const { sent, recorded, height } of replayed) {
      expect(contentsOf(withoutExtra(sent, recorded)), `height ${height}`).toEqual(
        contentsOf(recorded),
      );
    }
    expect(replayed.length).toBe(heights);
  });
});

/**
 * Without what Besu does not send: round changes of a validator that follows others, and a commit
 * after its end.
 *
 * It changes to a round only when its own time is up, and counts its own commit before it is
 * prepared, so that the commits of others may end the height before that.
 */
function withoutExtra(
  sent: readonly BftMessage[],
  recorded: readonly BftMessage[],
): readonly BftMessage[] {
  const isRecorded = (message: BftMessage) =>
    recorded.some(({ kind, round }) => kind === message.kind && round === message.round);
  return sent.filter(
    (message) =>
      isRecorded(message) || (message.kind !== "round-change" && message.kind !== "commit"),
  );
}

function bytesOf(messages: readonly BftMessage[]): readonly string[] {
  return messages.map(({ kind, round, bytes }) => `${kind} ${round} ${toHex(bytes)}`).sort();
}

/**
 * The content of messages: their signed parts, and justifications in no particular order, as of
 * their arrival.
 */
function contentsOf(messages: readonly BftMessage[]): readonly string[] {
  const text = (item: Rlp) => toHex(encodeRlp(item));
  return messages
    .map((message) => {
      const { prepares = [], roundChanges = [] } = message as Justified;
      const shown = prepares.map(({ signed }) => text(signed)).sort();
      return [
        message.kind,
        message.round,
        text(message.signed),
        ...shown,
        roundChanges.length,
      ].join(" ");
    })
    .sort();
}

/** The unsigned parts of some messages. */
type Justified = BftMessage & {
  readonly prepares?: readonly { readonly signed: Rlp }[];
  readonly roundChanges?: readonly unknown[];
};
