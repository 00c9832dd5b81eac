import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeRlp, encodeRlp, hexToBytes, keccak256, loadCrypto, toHex } from "@plinth/core";
import { runInTurns } from "@plinth/core/async";
import { loadKeccak512 } from "@plinth/core/primitives";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { fillCache, seedOf } from "./cache.js";
import { Hashimoto } from "./hashimoto.js";
import { cacheSize, datasetSize } from "./sizes.js";

interface Case {
  readonly nonce: string;
  readonly mixHash: string;
  /** RLP. */
  readonly header: string;
  readonly seed: string;
  readonly result: string;
  readonly cache_size: number;
  readonly full_size: number;
  readonly header_hash: string;
  readonly cache_hash: string;
}

const FILE = join(CONFORMANCE, "ethereum-tests/PoWTests/ethash_tests.json");
/** The seal fields at the end of a Frontier header. */
const SEAL_FIELDS = 2;

beforeAll(async () => {
  await loadCrypto();
});

describe.skipIf(isConformanceMissing)("the work of reference seals", () => {
  it("is verified from seed to result", { timeout: 30_000 }, async () => {
    const cases: Case[] = Object.values(JSON.parse(readFileSync(FILE, "utf8")));
    const keccak512 = await loadKeccak512();
    const cache = new Uint8Array(cacheSize(0));
    await runInTurns(fillCache(cache, seedOf(0), keccak512));
    const hashimoto = new Hashimoto(cache, datasetSize(0), keccak512);

    const done = cases.map(({ header, nonce }) => {
      const hash = hashWithoutSeal(bytesOf(header));
      const { mix, result } = hashimoto.run(hash, bytesOf(nonce));
      return { hash: toHex(hash), mix: toHex(mix), result: toHex(result) };
    });

    expect(done).toHaveLength(2);
    expect(done).toEqual(
      cases.map(({ header_hash, mixHash, result }) => {
        return { hash: `0x${header_hash}`, mix: `0x${mixHash}`, result: `0x${result}` };
      }),
    );
    for (const { seed, cache_size, full_size, cache_hash } of cases) {
      expect(toHex(seedOf(0))).toBe(`0x${seed}`);
      expect([cache.length, datasetSize(0)]).toEqual([cache_size, full_size]);
      expect(toHex(keccak256(cache))).toBe(`0x${cache_hash}`);
    }
  });
});

describe("the sizes of an epoch", () => {
  it.each([
    [0, 16_776_896, 1_073_739_904],
    [1, 16_907_456, 1_082_130_304],
    [2, 17_039_296, 1_090_514_816],
    [2047, 285_081_536, 18_245_220_736],
  ])("match the published table: %s", (epoch, cache, dataset) => {
    expect([cacheSize(epoch), datasetSize(epoch)]).toEqual([cache, dataset]);
  });
});

function hashWithoutSeal(header: Uint8Array): Uint8Array {
  const items = decodeRlp(header);
  if (items instanceof Uint8Array) throw new Error("a header is a list");
  return keccak256(encodeRlp(items.slice(0, -SEAL_FIELDS)));
}

function bytesOf(digits: string): Uint8Array {
  return hexToBytes(digits);
}
