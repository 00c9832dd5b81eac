import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fork } from "@plinth/core/evm";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { difficultyOf } from "./difficulty.js";

const FOLDER = join(CONFORMANCE, "ethereum-tests");
const LEAST = 131_072n;
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

interface Case {
  readonly parentTimestamp: string;
  readonly parentDifficulty: string;
  /** A hash, or the number of uncles. */
  readonly parentUncles?: string;
  readonly currentTimestamp: string;
  readonly currentBlockNumber: string;
  readonly currentDifficulty: string;
}

/** Blocks of the forks that change the formula on mainnet, as far as the older files cover them. */
const MAINNET: readonly (readonly [bigint, Fork])[] = [
  [4_370_000n, "byzantium"],
  [1_150_000n, "homestead"],
];

describe.skipIf(isConformanceMissing)("reference difficulties", () => {
  it.each([
    ["DifficultyTests/dfArrowGlacier", "arrowGlacier", 404],
    ["DifficultyTests/dfGrayGlacier", "grayGlacier", 202],
  ] as const)("match: %s", (folder, fork, count) => {
    const cases = readdirSync(join(FOLDER, folder)).flatMap((file) => {
      const tests = Object.values(readJson(`${folder}/${file}`)) as Record<string, object>[];
      return tests.flatMap(({ _info, ...forks }) => Object.values(forks).flatMap(Object.values));
    }) as Case[];

    expect(failuresOf(cases, () => fork)).toEqual({ count, wrong: [] });
  });

  // Parents below the minimum difficulty occur on no chain. These files let the bomb fill the gap,
  // as the official specification does; Besu and geth, whose networks we join, raise to the minimum
  // first.
  it.each<[string, (number: bigint) => Fork, { readonly count: number; readonly below: number }]>([
    ["difficulty.json", forkOnMainnet, { count: 14, below: 0 }],
    ["difficultyCustomHomestead.json", () => "homestead", { count: 30, below: 90 }],
    ["difficultyCustomMainNetwork.json", forkOnMainnet, { count: 90, below: 270 }],
  ])("match: BasicTests/%s", (file, forkAt, { count, below }) => {
    const cases = Object.values(readJson(`BasicTests/${file}`)) as Case[];
    const possible = cases.filter(({ parentDifficulty }) => BigInt(parentDifficulty) >= LEAST);

    expect(failuresOf(possible, forkAt)).toEqual({ count, wrong: [] });
    expect(cases.length - possible.length).toBe(below);
  });
});

describe("the difficulty of a block", () => {
  const parent = { timestamp: 0n, difficulty: 2n ** 40n, hasUncles: false };
  const step = 2n ** 29n;

  it.each<[Fork, bigint, bigint]>([
    ["frontier", 12n, 1n],
    ["frontier", 13n, -1n],
    ["homestead", 9n, 1n],
    ["homestead", 19n, 0n],
    ["homestead", 5000n, -99n],
    ["byzantium", 8n, 1n],
    ["byzantium", 17n, 0n],
    ["byzantium", 5000n, -99n],
  ])("in %s, %s seconds after its parent, moves by %s steps", (fork, timestamp, steps) => {
    const difficulty = difficultyOf({ number: 1n, timestamp }, parent, fork);

    expect(difficulty - parent.difficulty).toBe(step * steps);
  });

  it("is higher after a block with uncles since Byzantium", () => {
    const withUncles = { ...parent, hasUncles: true };
    const point = { number: 1n, timestamp: 8n };

    expect(difficultyOf(point, withUncles, "homestead")).toBe(parent.difficulty + step);
    expect(difficultyOf(point, withUncles, "byzantium")).toBe(parent.difficulty + step * 2n);
  });

  it.each<[Fork, bigint]>([
    ["homestead", 0n],
    ["byzantium", 3_000_000n],
    ["constantinople", 5_000_000n],
    ["istanbul", 5_000_000n],
    ["muirGlacier", 9_000_000n],
    ["berlin", 9_000_000n],
    ["london", 9_700_000n],
    ["arrowGlacier", 10_700_000n],
    ["grayGlacier", 11_400_000n],
  ])("in %s grows exponentially from block %s on", (fork, delay) => {
    const bombAt = (number: bigint) =>
      difficultyOf({ number, timestamp: 9n }, parent, fork) -
      difficultyOf({ number: 0n, timestamp: 9n }, parent, fork);

    expect([199_999n, 200_000n, 300_000n, 1_200_000n].map((late) => bombAt(delay + late))).toEqual([
      0n,
      1n,
      2n,
      1024n,
    ]);
  });

  it("is never below the minimum", () => {
    const low = { ...parent, difficulty: 131_072n };

    expect(difficultyOf({ number: 1n, timestamp: 500n }, low, "byzantium")).toBe(131_072n);
  });
});

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(FOLDER, path), "utf8"));
}

function forkOnMainnet(number: bigint): Fork {
  return MAINNET.find(([from]) => number >= from)?.[1] ?? "frontier";
}

function failuresOf(cases: readonly Case[], forkAt: (number: bigint) => Fork) {
  const wrong = cases.filter((given) => {
    const number = BigInt(given.currentBlockNumber);
    const parent = {
      timestamp: BigInt(given.parentTimestamp),
      difficulty: BigInt(given.parentDifficulty),
      hasUncles: hasUncles(given.parentUncles),
    };
    const point = { number, timestamp: BigInt(given.currentTimestamp) };
    return difficultyOf(point, parent, forkAt(number)) !== BigInt(given.currentDifficulty);
  });
  return { count: cases.length, wrong };
}

function hasUncles(value: string | undefined): boolean {
  return value !== undefined && value !== NO_UNCLES && BigInt(value) !== 0n;
}
