import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  getCrypto,
  type Hash,
  type Header,
  hexToBytes,
  keccakHeader,
  loadCrypto,
  type SealedHeader,
} from "@plinth/core";
import { decodeHeader } from "@plinth/core/blocks";
import { headerFromJson, VECTORS } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { listedSigners } from "./extra-data.js";
import { isBetterHead } from "./fork-choice.js";
import { Seals, sealHash, withSeal } from "./seal.js";
import { blocksToSkip, inTurnSigner } from "./signers/signer-turns.js";

type Json = Readonly<Record<string, string>>;

interface BlockVector {
  readonly header: Json;
  readonly sealHash: Hash;
  readonly signer?: Address;
  readonly signedBy?: Address;
  readonly privateKey?: Hash;
  readonly seal?: Hash;
  readonly headerRlp?: Hash;
  readonly signersInExtraData?: readonly Address[];
  readonly hash: Hash;
}

interface Vectors {
  readonly blocks: readonly BlockVector[];
  readonly inTurn: {
    readonly cases: readonly { number: number; signerCount: number; inTurnIndex: number }[];
  };
  readonly signerLimit: { readonly cases: readonly { signers: number; mustSkip: number }[] };
  readonly extraDataLengthErrors: readonly { length: number; valid: boolean }[];
  readonly forkChoiceRule3: {
    readonly number: number;
    readonly signerCount: number;
    readonly preferredIndex: number;
    readonly otherIndex: number;
  };
}

beforeAll(async () => {
  await loadCrypto();
});

const signers = (count: number): readonly Address[] =>
  Array.from({ length: count }, (_, index) => `0x${`${index + 10}`.repeat(20)}` as const);

describe("published values of Clique", () => {
  const vectors: Vectors = JSON.parse(
    readFileSync(join(VECTORS, "consensus-vectors.json"), "utf8"),
  ).clique;

  it.each(vectors.blocks.map((block) => [block.hash, block] as const))(
    "hash, seal hash and signer of %s",
    (_, block) => {
      const header = headerFromJson(block.header);

      expect(keccakHeader(header)).toBe(block.hash);
      expect(sealHash(header)).toBe(block.sealHash);
      expect(new Seals().signerOf(header)).toBe(block.signer ?? block.signedBy);
      if (block.headerRlp !== undefined)
        expect(decodeHeader(hexToBytes(block.headerRlp))).toEqual(header);
      if (block.signersInExtraData !== undefined) {
        expect(listedSigners(header)).toEqual(block.signersInExtraData);
      }
      if (block.privateKey !== undefined) {
        const key = hexToBytes(block.privateKey);
        const signature = getCrypto().sign(hexToBytes(block.sealHash), key);
        expect(withSeal(header, signature)).toEqual(header);
      }
    },
  );

  it("the in-turn signer of a block", () => {
    for (const { number, signerCount, inTurnIndex } of vectors.inTurn.cases) {
      const set = signers(signerCount);
      expect(inTurnSigner(BigInt(number), set)).toBe(set[inTurnIndex]);
    }
  });

  it("the number of blocks a signer leaves to others", () => {
    for (const { signers: count, mustSkip } of vectors.signerLimit.cases) {
      expect(blocksToSkip(count)).toBe(mustSkip);
    }
  });

  it("the length of extra data", () => {
    for (const { length, valid } of vectors.extraDataLengthErrors) {
      const read = () => listedSigners({ number: 1n, extraData: new Uint8Array(length) } as Header);
      if (valid) expect(read).not.toThrow();
      else expect(read).toThrow(`its extra data has ${length} bytes`);
    }
  });

  it("the better of two blocks with the same weight", () => {
    const { number, signerCount, preferredIndex, otherIndex } = vectors.forkChoiceRule3;
    const set = signers(signerCount);
    const blockOf = (index: number) => {
      const header = { number: BigInt(number), hash: `0x${index}` } as unknown as SealedHeader;
      return { header, totalDifficulty: 9n };
    };
    const source = {
      signersAfter: () => set,
      signerOf: ({ hash }: SealedHeader) => set[Number(hash)] as Address,
    };

    expect(isBetterHead(blockOf(preferredIndex), blockOf(otherIndex), source)).toBe(true);
    expect(isBetterHead(blockOf(otherIndex), blockOf(preferredIndex), source)).toBe(false);
  });
});

describe.each(["clique-votes", "clique-no-empty"])("the chain %s", (name) => {
  const folder = join(VECTORS, "besu-networks", name);
  const [genesis, ...blocks]: readonly { hash: Hash; sealHash: Hash; signer: Address }[] =
    JSON.parse(readFileSync(join(folder, "blocks.json"), "utf8"));

  it("has seals of its signers", () => {
    expect(genesis).toBeDefined();
    const answers: readonly RecordedResponse[] = JSON.parse(
      readFileSync(join(folder, "answers.json"), "utf8"),
    );
    const raw = answers.filter(({ request }) => request.method === "debug_getRawHeader");
    let compared = 0;
    for (const { response } of raw) {
      if (response.result === undefined) continue;
      const header = decodeHeader(hexToBytes(response.result));
      const expected = blocks[Number(header.number) - 1];
      if (expected === undefined) continue;
      expect(sealHash(header)).toBe(expected.sealHash);
      expect(new Seals().signerOf(header)).toBe(expected.signer);
      compared++;
    }
    expect(compared).toBeGreaterThan(2);
  });
});

interface RecordedResponse {
  readonly request: { readonly method: string };
  readonly response: { readonly result?: Hash };
}
