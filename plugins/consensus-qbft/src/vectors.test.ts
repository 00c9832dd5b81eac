import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  blockToRlp,
  decodeBlock,
  encodeBlock,
  encodeRlp,
  getCrypto,
  type Hash,
  type Hex,
  hexToBytes,
  keccakHeader,
  loadCrypto,
  RlpError,
  toHex,
} from "@plinth/core";
import { CONFORMANCE, headerFromJson, isConformanceMissing } from "@plinth/core/testing";
import {
  type BftMessage,
  maxFailures,
  quorumOf,
  recoverSigner,
  roundTimeoutMs,
  type Sign,
  selectProposer,
} from "@plinth/kit-bft";
import { beforeAll, describe, expect, it } from "vitest";
import { qbftForm } from "./block-form.js";
import { qbft } from "./dialect.js";
import { qbftExtraData } from "./extra-data.js";
import { codes } from "./messages/codes.js";
import type { QbftProposal } from "./messages/proposal.js";
import { decodeRoundChange, type QbftRoundChange } from "./messages/round-change.js";

interface ExtraDataVector {
  readonly fields: {
    readonly vanity: Hex;
    readonly validators: readonly Address[];
    readonly vote: { readonly recipient: Address; readonly auth: boolean } | null;
    readonly round: number;
    readonly seals: readonly Hex[];
  };
  readonly full: Hex;
  readonly forCommittedSeal: Hex;
  readonly forOnChainHash: Hex;
}

interface BlockVector {
  readonly header: Readonly<Record<string, string>>;
  readonly committedSealHash: Hash;
  readonly committers: readonly Address[];
  readonly onChainHash: Hash;
  readonly plainKeccakOfFullHeader_notTheBlockHash: Hash;
}

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

interface Vectors {
  readonly qbft: {
    readonly extraData: readonly ExtraDataVector[];
    readonly extraDataInvalid: readonly { readonly why: string; readonly extraData: Hex }[];
    readonly genesisExtraData: readonly {
      readonly validators: readonly Address[];
      readonly extraData: Hex;
    }[];
    readonly blocks: readonly BlockVector[];
    readonly messageFlow: FlowVector;
    readonly codecOnlyMessages: { readonly cases: Readonly<Record<string, { readonly rlp: Hex }>> };
  };
  readonly bftShared: {
    readonly quorum: {
      readonly rows: readonly { readonly n: number; readonly quorum: number; readonly f: number }[];
    };
    readonly proposerSelection: {
      readonly cases: readonly {
        readonly validators: readonly Address[];
        readonly previousProposer: Address;
        readonly round: number;
        readonly proposer: Address;
      }[];
    };
    readonly roundTimeoutsMs: {
      readonly requestTimeoutSeconds: number;
      readonly rounds: readonly { readonly round: number; readonly ms: number }[];
    };
  };
}

beforeAll(async () => {
  await loadCrypto();
});

describe.skipIf(isConformanceMissing)("published values of QBFT", () => {
  it("extra data, in all its forms", () => {
    for (const vector of read().qbft.extraData) {
      const { vanity, validators, vote, round, seals } = vector.fields;
      const kind = vote?.auth === true ? "add" : "drop";
      const data = {
        vanity: hexToBytes(vanity),
        validators,
        vote: vote === null ? undefined : ({ candidate: vote.recipient, kind } as const),
        round,
        seals: seals.map((seal) => hexToBytes(seal)),
      };

      expect(qbftExtraData.decode(hexToBytes(vector.full))).toEqual(data);
      expect(toHex(qbftExtraData.encode(data))).toBe(vector.full);
      expect(toHex(qbftExtraData.encodeForSeals(data))).toBe(vector.forCommittedSeal);
      expect(toHex(qbftExtraData.encodeForHash(data))).toBe(vector.forOnChainHash);
    }
  });

  it("extra data that is none", () => {
    for (const { extraData } of read().qbft.extraDataInvalid) {
      expect(() => qbftExtraData.decode(hexToBytes(extraData))).toThrow(RlpError);
    }
  });

  it("extra data of genesis blocks", () => {
    for (const { validators, extraData } of read().qbft.genesisExtraData) {
      expect(toHex(qbftExtraData.encodeGenesis(validators))).toBe(extraData);
      expect(qbftExtraData.decodeValidators(hexToBytes(extraData))).toEqual(validators);
    }
  });

  it("hashes and signers of blocks", () => {
    for (const vector of read().qbft.blocks) {
      const header = headerFromJson(vector.header);
      const { seals } = qbftExtraData.decode(header.extraData);

      expect(keccakHeader(header)).toBe(vector.plainKeccakOfFullHeader_notTheBlockHash);
      expect(qbftForm.hashOf(header)).toBe(vector.onChainHash);
      expect(qbftForm.sealHashOf(header)).toBe(vector.committedSealHash);
      expect(seals.map((seal) => recoverSigner(vector.committedSealHash, seal))).toEqual(
        vector.committers,
      );
    }
  });

  it("quorums, proposers and the lengths of rounds", () => {
    const { quorum, proposerSelection, roundTimeoutsMs } = read().bftShared;
    for (const { n, quorum: needed, f } of quorum.rows) {
      expect([quorumOf(n), maxFailures(n)]).toEqual([needed, f]);
    }
    for (const {
      validators,
      previousProposer: previous,
      round,
      proposer,
    } of proposerSelection.cases) {
      expect(selectProposer({ validators, previous, round })).toBe(proposer);
    }
    for (const { round, ms } of roundTimeoutsMs.rounds) {
      expect(roundTimeoutMs(roundTimeoutsMs.requestTimeoutSeconds, round)).toBe(ms);
    }
  });
});

describe.skipIf(isConformanceMissing)("a published height of QBFT", () => {
  it("has messages that are read, of the authors that they name", () => {
    for (const { name, code, message, author } of read().qbft.messageFlow.messages) {
      expect(decode({ code, message }).author, name).toBe(author);
    }
  });

  it("has messages that this engine writes byte for byte", async () => {
    const { messages } = read().qbft.messageFlow;
    for (const vector of messages.filter(({ name }) => !name.includes("26.1"))) {
      const sign = signerOf(vector.author);
      const rewritten = await rewrite(decode(vector), sign);
      expect(toHex(rewritten.bytes), vector.name).toBe(vector.message);
    }
  });

  it("ends with the sealed block", () => {
    const { block, sealedBlock, messages } = read().qbft.messageFlow;
    const seals = messages
      .filter(({ name }) => name.startsWith("commit round 0"))
      .map((vector) => decode(vector))
      .flatMap((message) => (message.kind === "commit" ? [message.seal] : []));
    const sealed = qbftForm.withSeals(decodeBlock(hexToBytes(block.blockRlp)), 0, seals);

    expect(toHex(encodeBlock(sealed))).toBe(sealedBlock.blockRlp);
    expect(qbftForm.hashOf(sealed.header)).toBe(sealedBlock.onChainHash);
  });

  it("reads messages of which only the form is right", () => {
    const { cases } = read().qbft.codecOnlyMessages;
    for (const [name, { rlp }] of Object.entries(cases)) {
      const code = codes[name.split("_")[0] as keyof typeof codes];
      expect(toHex(qbft.decode(code, hexToBytes(rlp)).bytes), name).toBe(rlp);
    }
  });
});

/** The message again, from what was read of it. */
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
    return qbft.createRoundChange(id, { proposal, prepares }, sign);
  }
  const reasons = message.roundChanges.map(({ signed, prepared }) => {
    const isPrepared = prepared !== undefined;
    const block = isPrepared ? blockToRlp(qbftForm.withRound(message.block, prepared.round)) : [];
    const prepares = isPrepared ? message.prepares.map((prepare) => prepare.signed) : [];
    return decodeRoundChange(encodeRlp([signed, block, prepares]));
  });
  return qbft.createProposal(id, message.block, reasons, sign);
}

function decode({ code, message }: Pick<MessageVector, "code" | "message">) {
  return qbft.decode(Number(code), hexToBytes(message));
}

/** Signs with the key of a validator of the published height. */
function signerOf(author: Address): Sign {
  const found = read().qbft.messageFlow.validators.find(({ address }) => address === author);
  if (found === undefined) throw new Error(`${author} is not a validator`);
  return async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(found.privateKey));
}

function read(): Vectors {
  return JSON.parse(readFileSync(join(CONFORMANCE, "consensus-vectors.json"), "utf8"));
}
