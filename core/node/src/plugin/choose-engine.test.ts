import { defineEngine, type EngineDefinition, t } from "@plinth/core";
import { type AnyEngine, EngineSchedule } from "@plinth/core/consensus";
import type { Contributions } from "@plinth/core/kernel";
import { ForkSchedule, readForks } from "@plinth/core/rules";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { chooseEngine } from "./choose-engine.js";
import { LateEngineChain } from "./engine-chain.js";

/** An engine that reports the context it was created with. */
function anEngine(key: string, more: Partial<EngineDefinition<object>> = {}) {
  const settings = t.object({
    startBlock: t.optional(t.integer({ min: 0 }), 0),
    period: t.optional(t.integer({ min: 1 })),
  });
  const definition = defineEngine({
    key,
    settings,
    startBlock: ({ startBlock }) => BigInt(startBlock),
    create: ({ settings }) => ({
      finality: "eventual",
      hashHeader: () => `0x${key}`,
      author: () => `0x${settings.period ?? ""}`,
      feeRecipient: () => "0x",
      verifyHeader: () => {},
      prepareHeader: (draft) => draft,
    }),
  });
  return { ...definition, ...more } as unknown as AnyEngine;
}

function choose(config: object, definitions: readonly AnyEngine[], forks = readForks(config)) {
  const entries = definitions.map((item) => ({ plugin: `plugin-${item.key}`, item }));
  const offered = { entries: () => entries } as unknown as Pick<Contributions, "entries">;
  const mining = { isEnabled: false, coinbase: undefined };
  const clock = new FakeClock(0);
  const chain = new LateEngineChain();
  return chooseEngine({
    config,
    origin: "genesis.json",
    forks,
    clock,
    mining,
    key: undefined,
    chain,
    offered,
  });
}

const POINT = { number: 7n, timestamp: 70n, difficulty: 1n } as never;
const shanghai = new ForkSchedule([{ fork: "shanghai", by: "time", value: 50n }]);

describe("the transitions of a genesis file", () => {
  const withTransitions = (seen: unknown[]) =>
    defineEngine({
      key: "turns",
      settings: t.object({}),
      transition: t.object({ block: t.integer({ min: 0 }), periodSeconds: t.integer({ min: 1 }) }),
      create({ transitions }) {
        seen.push(...transitions);
        return { ...anEngine("turns").create({} as never), finality: "instant" };
      },
    }) as unknown as AnyEngine;

  it("are passed to their engine in block order, with the names of its codec", () => {
    const seen: unknown[] = [];
    const turns = [
      { BLOCK: 20, PeriodSeconds: 3 },
      { block: 10, periodseconds: 2 },
    ];

    choose({ turns: {}, Transitions: { Turns: turns } }, [withTransitions(seen)]);

    expect(seen).toEqual([
      { block: 10, periodSeconds: 2 },
      { block: 20, periodSeconds: 3 },
    ]);
  });

  it.each([
    [
      "has an invalid value",
      { turns: [{ block: 1, periodSeconds: 0 }] },
      "config.transitions.turns[0].periodSeconds: expected an integer of at least 1",
    ],
    ["is not a list", { turns: {} }, "config.transitions.turns: expected a list"],
    ["is in a list", [{ block: 1 }], "config.transitions: expected an object"],
    ["is a word", "turns", "config.transitions: expected an object"],
  ])("are rejected if one %s", (_, transitions, message) => {
    expect(() => choose({ turns: {}, transitions }, [withTransitions([])])).toThrow(message);
  });

  it("are rejected if the engine has none", () => {
    const config = { turns: {}, transitions: { turns: [{ block: 1 }] } };

    expect(() => choose(config, [anEngine("turns")])).toThrow("cannot change at a block");
  });
});

describe("the engine of a genesis file", () => {
  it("is the one it names, in any case, with the settings under the name", () => {
    const { engine, canProduce, inUse } = choose({ TURNS: { Period: 5 } }, [
      anEngine("other"),
      anEngine("turns"),
    ]);

    expect([engine.hashHeader(POINT), engine.author(POINT)]).toEqual(["0xturns", "0x5"]);
    expect(canProduce).toBe(true);
    expect([...inUse]).toEqual([["plugin-turns", "the engine turns"]]);
  });

  it("is rejected if it is named twice, in different case", () => {
    const config = { turns: { period: 5 }, Turns: { period: 6 } };

    expect(() => choose(config, [anEngine("turns")])).toThrow("more than once: turns, Turns");
  });

  it("is a schedule if it names several", () => {
    const { engine } = choose({ one: {}, two: { startBlock: 5 } }, [
      anEngine("one"),
      anEngine("two"),
    ]);

    expect(engine).toBeInstanceOf(EngineSchedule);
    expect(engine.hashHeader(POINT)).toBe("0xtwo");
  });

  it("is the default if it names none, and no blocks are produced", () => {
    const usual = anEngine("usual", { isDefault: true });

    const { engine, canProduce } = choose({ chainId: 1, checkpoint: {} }, [anEngine("one"), usual]);

    expect(engine.hashHeader(POINT)).toBe("0xusual");
    expect(canProduce).toBe(false);
  });

  it("ignores objects that are not engines beside one that is", () => {
    expect(choose({ one: {}, istanbul: {} }, [anEngine("one")]).canProduce).toBe(true);
  });

  it("is replaced by the one after the merge, by total difficulty or by time", () => {
    const follower = anEngine("after", { followsMerge: true });
    const timed = anEngine("timed", { mergesByTime: true });
    const merged = { number: 7n, timestamp: 70n, difficulty: 0n } as never;
    const hash = (config: object, forks?: ForkSchedule) =>
      choose(config, [anEngine("one"), timed, follower], forks).engine.hashHeader(merged);

    expect(hash({ one: {}, terminalTotalDifficulty: 5 })).toBe("0xafter");
    expect(hash({ one: {} }, shanghai)).toBe("0xone");
    expect(hash({ timed: {} })).toBe("0xtimed");
    expect(hash({ timed: {} }, shanghai)).toBe("0xafter");
  });

  it.each([
    [
      "that no plugin serves",
      { clock: {}, chainId: 1 },
      "ENGINE_UNKNOWN",
      "names clock, loaded plugins serve one",
    ],
    ["of the merge", { after: {} }, "ENGINE_UNKNOWN", "names after, loaded plugins serve one"],
    ["not at all", {}, "ENGINE_MISSING", "loaded plugins serve one"],
    ["for later blocks only", { one: { startBlock: 3 } }, "ENGINE_MISSING", "block 0"],
    ["with invalid settings", { one: { period: 0 } }, "GENESIS_INVALID", "config.one.period"],
    ["with a value that is not an object", { one: 5 }, "GENESIS_INVALID", "config.one"],
  ])("is rejected if it is named %s", (_, config, code, message) => {
    const definitions = [anEngine("one"), anEngine("after", { followsMerge: true })];

    expect(() => choose(config, definitions)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
