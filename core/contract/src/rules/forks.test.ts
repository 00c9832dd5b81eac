import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Fork } from "../evm/fork.js";
import { readForks } from "./forks.js";

const at = (config: object, number: number, timestamp = 0): Fork =>
  readForks(config).at({ number: BigInt(number), timestamp: BigInt(timestamp) });

describe("the forks of a genesis file", () => {
  it("are activated at their blocks", () => {
    const config = { homesteadBlock: 1, eip150Block: 2, eip155Block: 3, byzantiumBlock: 4 };

    expect([0, 1, 2, 3, 4, 100].map((number) => at(config, number))).toEqual([
      "frontier",
      "homestead",
      "tangerineWhistle",
      "spuriousDragon",
      "byzantium",
      "byzantium",
    ]);
  });

  it("are implied by later ones", () => {
    expect(at({ londonBlock: 0 }, 0)).toBe("london");
    expect(readForks({ londonBlock: 0 }).isActive("byzantium", { number: 0n, timestamp: 0n })).toBe(
      true,
    );
    expect(readForks({ londonBlock: 5 }).isActive("byzantium", { number: 4n, timestamp: 0n })).toBe(
      false,
    );
  });

  it("continue with times", () => {
    const config = { londonBlock: 0, shanghaiTime: 100, cancunTime: "0xc8" };

    expect(at(config, 5, 99)).toBe("london");
    expect(at(config, 5, 100)).toBe("shanghai");
    expect(at(config, 5, 200)).toBe("cancun");
  });

  it("reach the merge with a block without difficulty", () => {
    const forks = readForks({ londonBlock: 0, terminalTotalDifficulty: 7, shanghaiTime: 5 });
    const point = { number: 1n, timestamp: 4n };

    expect(forks.at({ ...point, difficulty: 1n })).toBe("london");
    expect(forks.at({ ...point, difficulty: 0n })).toBe("paris");
    expect(forks.at({ ...point, timestamp: 5n, difficulty: 0n })).toBe("shanghai");
    expect(readForks({ londonBlock: 0 }).at({ ...point, difficulty: 0n })).toBe("london");
  });

  it.each([
    [{ LondonBlock: 0 }, "london"],
    [{ daoForkBlock: 0 }, "frontier"],
    [{ constantinopleFixBlock: 0 }, "petersburg"],
    [{ eip158Block: "0" }, "spuriousDragon"],
    [{ berlinBlock: null, istanbulBlock: 0 }, "istanbul"],
    [{}, "frontier"],
  ])("are parsed from unusual spellings: %j", (config, fork) => {
    expect(at(config, 0)).toBe(fork);
  });

  it.each([
    [{ londonBlock: -1 }, "config.londonBlock is -1"],
    [{ londonBlock: "soon" }, 'config.londonBlock is "soon"'],
    [{ cancunTime: 1.5 }, "config.cancunTime is 1.5"],
    [{ petersburgBlock: 0, constantinopleFixBlock: 0 }, "config.petersburgBlock and"],
    [{ classicForkBlock: 0 }, "config.classicForkBlock is a fork of Ethereum Classic"],
  ])("are rejected with the invalid key: %j", (config, text) => {
    expect(() => readForks(config)).toThrow(text);
  });

  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const folder = process.env.PLINTH_CONFORMANCE ?? `${root}/../shared/conformance`;
  const isMissing = process.env.PLINTH_CONFORMANCE === undefined && !existsSync(folder);

  it.skipIf(isMissing)("of a chain with all forks are activated at its blocks", () => {
    const { config } = JSON.parse(
      readFileSync(`${folder}/execution-apis-latest/genesis.json`, "utf8"),
    );
    const schedule = readForks(config);

    expect(schedule.activations.length).toBeGreaterThan(10);
    expect(schedule.at({ number: 54n, timestamp: 2n ** 40n })).toBe("osaka");
  });
});
