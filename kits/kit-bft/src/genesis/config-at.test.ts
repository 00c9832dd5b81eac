import { ConfigError, t } from "@plinth/core";
import type { ForkRules } from "@plinth/core/consensus";
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

/** A time instead of a block. */
const LATER = { block: 1_800_000_000, blockReward: "7" };
const at = (number: bigint) => ({ number, timestamp: 0n });

describe("the settings of a BFT chain", () => {
  it("apply from block 0 on, and change with their transitions", () => {
    const config = new ConfigAt(
      settings,
      [
        transition({ block: 5, blockPeriodSeconds: 1 }),
        transition({ block: 9, miningBeneficiary: "", blockReward: "3" }),
      ],
      forks(),
    );

    const periods = [0n, 4n, 5n, 9n].map((number) => config.at(at(number)).blockPeriodSeconds);
    expect(periods).toEqual([2, 2, 1, 1]);
    expect(config.at(at(8n))).toMatchObject({
      miningBeneficiary: `0x${"ab".repeat(20)}`,
      blockReward: 16n,
    });
    expect(config.at(at(9n))).toMatchObject({ miningBeneficiary: undefined, blockReward: 3n });
    expect(config.transitionAt(5n)).toMatchObject({ block: 5 });
    expect(config.transitionAt(6n)).toBeUndefined();
  });

  it("are those of the last transition for rewards, once a fork by time is active", () => {
    const config = new ConfigAt(
      settings,
      [transition({ block: 50, blockReward: "7" })],
      forks(100n),
    );

    expect(config.scheduled({ number: 5n, timestamp: 99n }).number).toBe(5n);
    expect(config.scheduled({ number: 5n, timestamp: 100n }).number).toBe(50n);
    expect(config.scheduled({ number: 60n, timestamp: 100n }).number).toBe(60n);
  });

  it("change at a time if their block is one, after a fork by time", () => {
    const rewardAt = (time: bigint | undefined, timestamp: bigint) => {
      const timed = [transition({ block: 7, blockReward: "5" }), transition(LATER)];
      const config = new ConfigAt(settings, timed, forks(time));
      const point = { number: 9n, timestamp };
      return [config.at(point), config.at(config.scheduled(point))].map((each) => each.blockReward);
    };

    expect(rewardAt(0n, 1_799_999_999n)).toEqual([5n, 5n]);
    expect(rewardAt(0n, 1_800_000_000n)).toEqual([7n, 7n]);
    // Without such a fork it is a block number.
    expect(rewardAt(undefined, 1_800_000_000n)).toEqual([5n, 5n]);
    expect(rewardAt(1_900_000_000n, 1_900_000_000n)).toEqual([5n, 7n]);
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
  ])("are rejected if %s is %j", (name, value) => {
    expect(() => t.object(bftSettings).decode({ [name]: value })).toThrow(name);
  });
});
