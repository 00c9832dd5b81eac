import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  type Hash,
  type Hex,
  hexToBytes,
  keccakHeader,
  loadCrypto,
  RlpError,
  toHex,
} from "@plinth/core";
import {
  BlockForm,
  maxFailures,
  quorumOf,
  recoverSigner,
  roundTimeoutMs,
  selectProposer,
} from "@plinth/kit-bft";
import { ibft, ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbft, qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { headerFromJson, VECTORS } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

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
  readonly code: string;
  readonly message: Hex;
  readonly author: Address;
}

interface EngineVectors {
  readonly extraData: readonly ExtraDataVector[];
  readonly extraDataInvalid: readonly { readonly why: string; readonly extraData: Hex }[];
  readonly genesisExtraData: readonly {
    readonly validators: readonly Address[];
    readonly extraData: Hex;
  }[];
  readonly blocks: readonly BlockVector[];
  readonly messageFlow: { readonly messages: readonly MessageVector[] };
}

interface Vectors {
  readonly qbft: EngineVectors;
  readonly ibft2: EngineVectors;
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

const ENGINES = [
  ["qbft", qbftExtraData, qbft],
  ["ibft2", ibftExtraData, ibft],
] as const;

describe.each(ENGINES)("published values of %s", (engine, codec, dialect) => {
  const form = new BlockForm(codec);

  it("extra data, in all its forms", () => {
    for (const vector of read()[engine].extraData) {
      const { vanity, validators, vote, round, seals } = vector.fields;
      const kind = vote?.auth === true ? "add" : "drop";
      const data = {
        vanity: hexToBytes(vanity),
        validators,
        vote: vote === null ? undefined : ({ candidate: vote.recipient, kind } as const),
        round,
        seals: seals.map((seal) => hexToBytes(seal)),
      };

      expect(codec.decode(hexToBytes(vector.full))).toEqual(data);
      expect(toHex(codec.encode(data))).toBe(vector.full);
      expect(toHex(codec.encodeForSeals(data))).toBe(vector.forCommittedSeal);
      expect(toHex(codec.encodeForHash(data))).toBe(vector.forOnChainHash);
    }
  });

  it("malformed extra data", () => {
    for (const { extraData } of read()[engine].extraDataInvalid) {
      expect(() => codec.decode(hexToBytes(extraData))).toThrow(RlpError);
    }
  });

  it("extra data of genesis blocks", () => {
    for (const { validators, extraData } of read()[engine].genesisExtraData) {
      expect(toHex(codec.encodeGenesis(validators))).toBe(extraData);
      expect(codec.decodeValidators(hexToBytes(extraData))).toEqual(validators);
    }
  });

  it("hashes and signers of blocks", () => {
    for (const vector of read()[engine].blocks) {
      const header = headerFromJson(vector.header);
      const { seals } = codec.decode(header.extraData);

      expect(keccakHeader(header)).toBe(vector.plainKeccakOfFullHeader_notTheBlockHash);
      expect(form.hashOf(header)).toBe(vector.onChainHash);
      expect(form.sealHashOf(header)).toBe(vector.committedSealHash);
      expect(seals.map((seal) => recoverSigner(vector.committedSealHash, seal))).toEqual(
        vector.committers,
      );
    }
  });

  it("messages of a height, by their authors", () => {
    for (const { name, code, message, author } of read()[engine].messageFlow.messages) {
      const decoded = dialect.decode(Number(code), hexToBytes(message));
      expect([decoded.author, toHex(decoded.bytes)], name).toEqual([author, message]);
    }
  });
});

describe("published values of all BFT engines", () => {
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

function read(): Vectors {
  return JSON.parse(readFileSync(join(VECTORS, "consensus-vectors.json"), "utf8"));
}
