import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  type Block,
  encodeBlock,
  encodeRlp,
  getCrypto,
  type Hash,
  type Hex,
  hexToBytes,
  loadCrypto,
  toHex,
} from "@plinth/core";
import { blockToRlp, decodeBlock } from "@plinth/core/blocks";
import {
  type BftMessage,
  type HeightFacts,
  isSignedBy,
  quorumOf,
  type Sign,
  selectProposer,
} from "@plinth/kit-bft";
import {
  type RecordedMessage,
  readRecordedChain,
  readRecordedMessages,
  readRecordedNodes,
  recordedScenarios,
  VECTORS,
} from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { qbft } from "./dialect.js";
import { qbftExtraData, qbftForm } from "./extra-data.js";
import { codes } from "./messages/form.js";
import type { QbftProposal } from "./messages/proposal.js";
import type { QbftRoundChange } from "./messages/round-change.js";

type QbftMessage = BftMessage<QbftProposal, QbftRoundChange>;

interface MessageVector {
  readonly name: string;
  readonly code: Hex;
  readonly message: Hex;
  readonly author: Address;
}

interface FlowVector {
  readonly validators: readonly { readonly privateKey: Hex; readonly address: Address }[];
  readonly block: { readonly blockRlp: Hex; readonly digest: Hash };
  readonly sealedBlock: { readonly blockRlp: Hex; readonly onChainHash: Hash };
  readonly messages: readonly MessageVector[];
}

/** Every consensus message between recorded QBFT validators, including those never sent. */
const EXPECTED_MESSAGES = 4_107;

beforeAll(async () => {
  await loadCrypto();
});

describe("a published height of QBFT", () => {
  it("has messages that are decoded, with the authors that they name", () => {
    for (const { name, code, message, author } of readFlow().messages) {
      expect(decode({ code, message }).author, name).toBe(author);
    }
  });

  it("has messages that this engine encodes byte for byte", async () => {
    const { messages } = readFlow();
    for (const vector of messages.filter(({ name }) => !name.includes("26.1"))) {
      const sign = signerOf(vector.author);
      const rewritten = await rewrite(decode(vector), sign);
      expect(toHex(rewritten.bytes), vector.name).toBe(vector.message);
    }
  });

  it("ends with the sealed block", () => {
    const { block, sealedBlock, messages } = readFlow();
    const seals = messages
      .filter(({ name }) => name.startsWith("commit round 0"))
      .map((vector) => decode(vector))
      .flatMap((message) => (message.kind === "commit" ? [message.seal] : []));
    const sealed = qbftForm.withSeals(decodeBlock(hexToBytes(block.blockRlp)), 0, seals);

    expect(toHex(encodeBlock(sealed))).toBe(sealedBlock.blockRlp);
    expect(qbftForm.hashOf(sealed.header)).toBe(sealedBlock.onChainHash);
  });

  it("decodes messages of which only the form is right", () => {
    const { cases } = readForms();
    for (const [name, { rlp }] of Object.entries(cases)) {
      const code = codes[name.split("_")[0] as keyof typeof codes];
      expect(toHex(qbft.decode(code, hexToBytes(rlp)).bytes), name).toBe(rlp);
    }
  });
});

/** Re-encodes a decoded message. */
async function rewrite(
  message: BftMessage<QbftProposal, QbftRoundChange>,
  sign: Sign,
): Promise<BftMessage> {
  const { height, round } = message;
  const id = { height, round };
  if (message.kind === "prepare") return qbft.createPrepare(id, message.digest, sign);
  if (message.kind === "commit") return qbft.createCommit(id, message, sign);
  if (message.kind === "round-change") {
    const { block, preparedRound = 0, prepares } = message;
    if (block === undefined) return qbft.createRoundChange(id, undefined, sign);
    const proposal = await qbft.createProposal({ height, round: preparedRound }, block, [], sign);
    return qbft.createRoundChange(id, { proposal, block, prepares }, sign);
  }
  const reasons = message.roundChanges.map(({ signed, prepared }) => {
    const isPrepared = prepared !== undefined;
    const block = isPrepared ? blockToRlp(qbftForm.withRound(message.block, prepared.round)) : [];
    const prepares = isPrepared ? message.prepares.map((prepare) => prepare.signed) : [];
    return qbft.decode(codes.roundChange, encodeRlp([signed, block, prepares])) as QbftRoundChange;
  });
  return qbft.createProposal(id, message.block, reasons, sign);
}

describe("recorded messages of QBFT validators", () => {
  it("are decoded, valid at their heights, and re-encoded to the same bytes", async () => {
    let count = 0;
    const keys = new Map(
      readRecordedNodes("qbft").map(({ address, privateKey }) => [address, privateKey]),
    );
    for (const scenario of recordedScenarios("qbft")) {
      const recorded = ["messages.jsonl", "suppressed.jsonl"]
        .flatMap((file) => readRecordedMessages(scenario, file))
        .filter(({ protocol }) => protocol === "istanbul");
      const chain = readRecordedChain(scenario);
      const seen = new Set<Hex>();
      for (const { code, payload } of recorded) {
        count++;
        if (seen.has(payload)) continue;
        seen.add(payload);
        const message = qbft.decode(code, hexToBytes(payload));
        const key = keys.get(message.author);
        expect(key, `${scenario}: ${message.author}`).toBeDefined();
        const rewritten = await rewrite(message, signWith(key ?? "0x"));
        expect(toHex(rewritten.bytes), `${scenario}: ${message.kind}`).toBe(payload);
        await verify(message, chain, recorded);
      }
    }
    expect(count).toBe(EXPECTED_MESSAGES);
    expect(unproposed).toEqual(["prepare 26 0"]);
    expect([...unplaced]).toEqual([358n, 360n, 361n, 362n, 363n, 364n]);
  });
});

/** Rejects if a message breaks a rule of its height; blocks are assumed to be valid. */
async function verify(
  message: QbftMessage,
  chain: readonly Block[],
  recorded: readonly RecordedMessage[],
): Promise<void> {
  const facts = factsOf(message.height, chain, recorded);
  if (facts === undefined) {
    unplaced.add(message.height);
    return;
  }
  expect(facts.validators).toContain(message.author);
  if (message.kind === "proposal") {
    expect(message.author).toBe(facts.proposerOf(message.round));
    await qbft.verifyProposal(message, facts, async () => {});
  } else if (message.kind === "round-change") {
    await qbft.verifyRoundChange(message, facts, async () => {});
  } else {
    const block = findProposed(message, chain, recorded);
    if (block === undefined) {
      unproposed.push(`${message.kind} ${message.height} ${message.round}`);
      return;
    }
    expect(message.digest).toBe(qbftForm.sealHashOf(block.header));
    if (message.kind === "commit") {
      const hash = qbft.sealHashOf(block, message.round);
      expect(isSignedBy(message.author, hash, message.seal)).toBe(true);
    }
  }
}
function decode({ code, message }: Pick<MessageVector, "code" | "message">) {
  return qbft.decode(Number(code), hexToBytes(message));
}

/** Signs with the key of a validator of the published height. */
function signerOf(author: Address): Sign {
  const found = readFlow().validators.find(({ address }) => address === author);
  if (found === undefined) throw new Error(`${author} is not a validator`);
  return async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(found.privateKey));
}

function signWith(key: Hex): Sign {
  return async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(key));
}

/**
 * Validators and proposers of a height; `undefined` if a scenario has no chain. The set is that of
 * the block, or of its parent if none was decided.
 */
function factsOf(
  height: bigint,
  chain: readonly Block[],
  recorded: readonly RecordedMessage[],
): HeightFacts | undefined {
  const parent = chain.find(({ header }) => header.number === height - 1n);
  const block =
    chain.find(({ header }) => header.number === height) ?? proposedAt(height, recorded);
  if (parent === undefined || block === undefined) return undefined;
  const { validators } = qbftExtraData.decode(block.header.extraData);
  const previous = parent.header.coinbase;
  return {
    height,
    validators,
    quorum: quorumOf(validators.length),
    proposerOf: (round) => selectProposer({ validators, previous, round }),
  };
}

function proposedAt(height: bigint, recorded: readonly RecordedMessage[]): Block | undefined {
  return proposalsOf(recorded).find((proposal) => proposal.height === height)?.block;
}

/**
 * The block of a prepare or commit: if a recording began too late for the proposal, the decided block.
 *
 * `undefined` if the proposer was killed before it sent its proposal.
 */
function findProposed(
  { height, round }: QbftMessage,
  chain: readonly Block[],
  recorded: readonly RecordedMessage[],
): Block | undefined {
  const found = proposalsOf(recorded).find(
    (each) => each.height === height && each.round === round,
  )?.block;
  const decided = chain.find(({ header }) => header.number === height);
  if (found !== undefined || decided === undefined) return found;
  const isOfRound = qbftExtraData.decode(decided.header.extraData).round === round;
  return isOfRound ? qbftForm.withRound(decided, 0) : undefined;
}

/** Heights of scenarios without a chain: their messages are only decoded and encoded. */
const unplaced = new Set<bigint>();
/** Messages about proposals that no node received. */
const unproposed: string[] = [];
const decoded = new WeakMap<readonly RecordedMessage[], readonly QbftProposal[]>();

function proposalsOf(recorded: readonly RecordedMessage[]): readonly QbftProposal[] {
  const known = decoded.get(recorded);
  if (known !== undefined) return known;
  const proposals = recorded
    .filter(({ code }) => code === codes.proposal)
    .flatMap(({ code, payload }) => {
      const message = qbft.decode(code, hexToBytes(payload));
      return message.kind === "proposal" ? [message] : [];
    });
  decoded.set(recorded, proposals);
  return proposals;
}

function readFlow(): FlowVector {
  return readVectors().messageFlow;
}

function readForms(): { readonly cases: Readonly<Record<string, { readonly rlp: Hex }>> } {
  return readVectors().codecOnlyMessages;
}

function readVectors() {
  return JSON.parse(readFileSync(join(VECTORS, "consensus-vectors.json"), "utf8")).qbft;
}
