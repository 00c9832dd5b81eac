import { ConfigError, type ForkRules, t } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { ConfigAt } from "./config-at.js";
import { bftSettings, bftTransition } from "./settings.js";

const settings = t.object(bftSettings).decode({
  blockPeriodSeconds: "2",
  blockReward: "0x10",
  miningBeneficiary: `0x${"AB".repeat(20)}`,
});
const transition = (json: object) => t.object(bftTransition).decode(json);
const forks = (time?: bigint): ForkRules => ({
  activations: time === undefined ? [] : [{ fork: "shanghai", by: "time", value: time }],
  at: () => "london",
  isActive: () => false,
});

describe("the settings of a BFT chain", () => {
  it("hold from block 0 on, and change with their transitions", () => {
    const config = new ConfigAt(
      settings,
      [
        transition({ block: 5, blockPeriodSeconds: 1 }),
        transition({ block: 9, miningBeneficiary: "", blockReward: "3" }),
      ],
      forks(),
    );

    const periods = [0n, 4n, 5n, 9n].map((number) => config.at(number).blockPeriodSeconds);
    expect(periods).toEqual([2, 2, 1, 1]);
    expect(config.at(8n)).toMatchObject({
      miningBeneficiary: `0x${"ab".repeat(20)}`,
      blockReward: 16n,
    });
    expect(config.at(9n)).toMatchObject({ miningBeneficiary: undefined, blockReward: 3n });
    expect(config.transitionAt(5n)).toMatchObject({ block: 5 });
    expect(config.transitionAt(6n)).toBeUndefined();
  });

  it("are those of the last transition for rewards, once a fork at a time is active", () => {
    const config = new ConfigAt(
      settings,
      [transition({ block: 50, blockReward: "7" })],
      forks(100n),
    );

    expect(config.scheduled({ number: 5n, timestamp: 99n })).toBe(5n);
    expect(config.scheduled({ number: 5n, timestamp: 100n })).toBe(50n);
    expect(config.scheduled({ number: 60n, timestamp: 100n })).toBe(60n);
  });

  it("change once at a block", () => {
    const twice = [transition({ block: 5 }), transition({ block: 5 })];

    expect(() => new ConfigAt(settings, twice, forks())).toThrow(ConfigError);
  });

  it.each([
    ["blockPeriodSeconds", 0],
    ["blockPeriodSeconds", "x"],
    ["epochLength", 0],
    ["blockReward", "-1"],
    ["blockReward", "1.5"],
    ["miningBeneficiary", "0x12"],
    ["requestTimeoutSeconds", -1],
  ])("are refused when %s is %j", (name, value) => {
    expect(() => t.object(bftSettings).decode({ [name]: value })).toThrow(name);
  });
});
