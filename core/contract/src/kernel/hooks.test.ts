import { describe, expect, it, vi } from "vitest";
import { PlinthError } from "./errors.js";
import { facadesFor, HookFactory, type HookKind, type TapFailure, type TapStage } from "./hooks.js";
import { activities } from "./watch/activity.js";

const docs = { since: "0.1.0", summary: "Something happens." };

interface Event {
  readonly number: number;
}

/** A hook of any kind behind one interface: tap with anything, call with a value. */
interface AnyHook {
  readonly name: string;
  readonly kind: HookKind;
  call(value: unknown, context?: unknown): unknown;
  isUsed(): boolean;
  facade(plugin: string): {
    tap(handler: (...values: never[]) => unknown, order?: { stage?: TapStage }): void;
  };
}

const KINDS = ["notify", "observe", "check", "decide", "refine", "rewrite"] as const;
const ISOLATING = ["notify", "observe"] as const;
const REFUSING = ["check", "decide", "refine", "rewrite"] as const;
const ASYNCHRONOUS = ["observe", "check", "decide", "refine"] as const;

describe.each(KINDS)("a hook of the kind %s", (kind) => {
  it("has its name, its kind and its documentation", () => {
    const { hook } = setUpHook(kind);

    expect(hook).toMatchObject({ name: "area.happened", kind, docs });
  });

  it("calls taps in registration order, with the arguments of its owner", async () => {
    const { hook } = setUpHook(kind);
    const seen: unknown[] = [];
    hook.facade("first").tap((value) => void seen.push(["first", value]));
    hook.facade("second").tap((value) => void seen.push(["second", value]));
    const event = { number: 1 };

    await hook.call(event, {});

    expect(seen).toEqual([
      ["first", event],
      ["second", event],
    ]);
  });

  it("calls early taps before and late taps after all others, each stage in order", async () => {
    const { hook } = setUpHook(kind);
    const seen: string[] = [];
    const tap = (name: string, order?: { stage: TapStage }) =>
      hook.facade("plugin").tap(() => void seen.push(name), order);
    tap("late 1", { stage: "late" });
    tap("normal 1");
    tap("early 1", { stage: "early" });
    tap("late 2", { stage: "late" });
    tap("normal 2", { stage: "normal" });
    tap("early 2", { stage: "early" });

    await hook.call({ number: 1 }, {});

    expect(seen).toEqual(["early 1", "early 2", "normal 1", "normal 2", "late 1", "late 2"]);
  });

  it("can be called without taps", async () => {
    const { hook } = setUpHook(kind);

    await expect((async () => hook.call({ number: 1 }, {}))()).resolves.not.toThrow();
    expect(hook.isUsed()).toBe(false);
  });

  it("skips a disabled plugin from the next call on", async () => {
    const { hook, disabled } = setUpHook(kind);
    const seen: string[] = [];
    hook.facade("first").tap(() => void seen.push("first"));
    hook.facade("second").tap(() => void seen.push("second"));
    await hook.call({ number: 1 }, {});

    disabled.add("first");
    await hook.call({ number: 2 }, {});

    expect(seen).toEqual(["first", "second", "second"]);
  });

  it("skips a plugin that an earlier tap of the same call disabled", async () => {
    const { hook, disabled } = setUpHook(kind);
    let called = false;
    hook.facade("first").tap(() => void disabled.add("second"));
    hook.facade("second").tap(() => {
      called = true;
    });

    await hook.call({ number: 1 }, {});

    expect(called).toBe(false);
  });

  it("is used while at least one tapping plugin is enabled", () => {
    const { hook, disabled } = setUpHook(kind);
    hook.facade("first").tap(() => undefined);
    hook.facade("second").tap(() => undefined);

    disabled.add("first");
    expect(hook.isUsed()).toBe(true);
    disabled.add("second");
    expect(hook.isUsed()).toBe(false);
  });

  it("rejects taps after sealing, naming the late plugin", async () => {
    const { factory, hook } = setUpHook(kind);
    let called = false;
    const facade = hook.facade("late");

    factory.seal();

    expect(() =>
      facade.tap(() => {
        called = true;
      }),
    ).toThrowError(
      expect.objectContaining({
        code: "REGISTRY_SEALED",
        plugin: "late",
        message: expect.stringContaining("area.happened"),
      }),
    );
    await hook.call({ number: 1 }, {});
    expect(called).toBe(false);
  });

  it("still calls its taps after sealing", async () => {
    const { factory, hook } = setUpHook(kind);
    let called = false;
    hook.facade("plugin").tap(() => {
      called = true;
    });

    factory.seal();
    await hook.call({ number: 1 }, {});

    expect(called).toBe(true);
  });
});

describe("the time of a notified tap", () => {
  it("counts from the reading of the clock before, or from the end of an earlier tap", () => {
    let now = activities.endOfLast(performance.now());
    using _ = vi.spyOn(performance, "now").mockImplementation(() => now);
    const { factory } = setUp();
    const hook = factory.notify<object>("area.happened", docs);
    hook.facade("first").tap(() => {});
    hook.facade("second").tap(() => {
      now += 2;
    });
    activities.turn();
    const since = now;
    now += 4;

    hook.call({}, since);

    expect(activities.turn()).toEqual({ what: "first in area.happened", ms: expect.closeTo(4) });
  });
});

describe("a notified tap that waits", () => {
  it("is named for the time before", async () => {
    let now = activities.endOfLast(performance.now());
    using _ = vi.spyOn(performance, "now").mockImplementation(() => now);
    const { factory } = setUp();
    const hook = createHook(factory, "notify", "area.happened");
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    hook.facade("first").tap(async () => {
      now += 4;
      await gate;
    });
    hook.facade("second").tap(() => {
      now += 1;
    });
    activities.turn();

    hook.call({}, now);

    expect(activities.turn()).toMatchObject({ what: "first in area.happened" });
    go();
    await settled();
  });
});

describe.each(ISOLATING)("a failing tap of %s", (kind) => {
  it("is reported with its plugin, and the others continue", async () => {
    const { hook, failures } = setUpHook(kind);
    const error = new Error("broken");
    const seen: string[] = [];
    hook.facade("broken").tap(() => {
      throw error;
    });
    hook.facade("sound").tap(() => void seen.push("sound"));

    await hook.call({ number: 1 });

    expect(failures).toEqual([{ plugin: "broken", hook: "area.happened", error, count: 1 }]);
    expect(seen).toEqual(["sound"]);
  });

  it("is also reported when it fails asynchronously", async () => {
    const { hook, failures } = setUpHook(kind);
    const error = new Error("broken");
    hook.facade("broken").tap(async () => {
      await Promise.resolve();
      throw error;
    });

    await hook.call({ number: 1 });
    await settled();

    expect(failures).toEqual([{ plugin: "broken", hook: "area.happened", error, count: 1 }]);
  });

  it("is counted per plugin, across all its taps", async () => {
    const { hook, failures } = setUpHook(kind);
    const fail = () => {
      throw new Error("broken");
    };
    hook.facade("a").tap(fail);
    hook.facade("b").tap(fail);
    hook.facade("a").tap(fail);

    await hook.call({ number: 1 });
    await hook.call({ number: 2 });

    expect(failures.map(({ plugin, count }) => `${plugin} ${count}`)).toEqual([
      "a 1",
      "b 1",
      "a 2",
      "a 3",
      "b 2",
      "a 4",
    ]);
  });

  it("is counted per hook", async () => {
    const { factory, failures } = setUp();
    const hooks = ["a.first", "a.second"].map((name) => createHook(factory, kind, name));
    for (const hook of hooks) {
      hook.facade("broken").tap(() => {
        throw new Error("broken");
      });
    }

    for (const hook of hooks) await hook.call({});

    expect(failures.map(({ hook, count }) => `${hook} ${count}`)).toEqual([
      "a.first 1",
      "a.second 1",
    ]);
  });

  it("may throw anything", async () => {
    const { hook, failures } = setUpHook(kind);
    hook.facade("broken").tap(() => {
      throw undefined;
    });

    await hook.call({ number: 1 });

    expect(failures).toEqual([
      { plugin: "broken", hook: "area.happened", error: undefined, count: 1 },
    ]);
  });
});

describe.each(REFUSING)("a failing tap of %s", (kind) => {
  const call = async (hook: AnyHook) => hook.call({ number: 1 }, {});

  it("rejects, naming plugin and hook and keeping the cause", async () => {
    const { hook, failures } = setUpHook(kind);
    const cause = new Error("too deep");
    hook.facade("strict").tap(() => {
      throw cause;
    });

    await expect(call(hook)).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "strict",
      message: "strict failed in area.happened: too deep",
      details: { hook: "area.happened" },
      cause,
    });
    expect(failures).toEqual([]);
  });

  it("rejects before the taps behind it are called", async () => {
    const { hook } = setUpHook(kind);
    let asked = false;
    hook.facade("strict").tap(() => {
      throw new Error("no");
    });
    hook.facade("next").tap(() => {
      asked = true;
    });

    await expect(call(hook)).rejects.toThrow();

    expect(asked).toBe(false);
  });

  it("may give the reason in its own error, which is passed through", async () => {
    const { hook } = setUpHook(kind);
    const refusal = new PlinthError("TOO_DEEP", { message: "too deep" });
    hook.facade("strict").tap(() => {
      throw refusal;
    });

    await expect(call(hook)).rejects.toBe(refusal);
  });

  it("rejects with whatever it throws", async () => {
    const { hook } = setUpHook(kind);
    hook.facade("strict").tap(() => {
      throw "no reason";
    });

    await expect(call(hook)).rejects.toMatchObject({
      code: "TAP_FAILED",
      message: "strict failed in area.happened: no reason",
    });
  });

  it("rejects nothing once its plugin is disabled", async () => {
    const { hook, disabled } = setUpHook(kind);
    hook.facade("strict").tap(() => {
      throw new Error("no");
    });

    disabled.add("strict");

    await expect(call(hook)).resolves.not.toThrow();
  });
});

describe.each(ASYNCHRONOUS)("an asynchronous tap of %s", (kind) => {
  it("is awaited before the next one is called", async () => {
    const { hook } = setUpHook(kind);
    const seen: string[] = [];
    hook.facade("slow").tap(async () => {
      await settled();
      seen.push("slow");
    });
    hook.facade("quick").tap(() => void seen.push("quick"));

    await hook.call({ number: 1 }, {});

    expect(seen).toEqual(["slow", "quick"]);
  });
});

describe("notify", () => {
  it("notifies every tap before the call returns", () => {
    const { factory } = setUp();
    const hook = factory.notify<Event>("pool.added", docs);
    const seen: number[] = [];
    hook.facade("plugin").tap(({ number }) => void seen.push(number));

    hook.call({ number: 7 });

    expect(seen).toEqual([7]);
  });

  it("does not wait for a slow tap", () => {
    const { hook } = setUpHook("notify");
    const seen: string[] = [];
    hook.facade("slow").tap(async () => {
      await settled();
      seen.push("slow");
    });
    hook.facade("quick").tap(() => void seen.push("quick"));

    hook.call({ number: 1 });

    expect(seen).toEqual(["quick"]);
  });
});

describe("observe and check", () => {
  it("observe returns nothing, whatever taps return", async () => {
    const { hook } = setUpHook("observe");
    hook.facade("talkative").tap(() => "an answer");

    expect(await hook.call({ number: 1 })).toBeUndefined();
  });

  it.each([7, true, null, new Set([1]), {}])(
    "check ignores %j and calls the next tap",
    async (answer) => {
      const { hook } = setUpHook("check");
      let asked = false;
      hook.facade("talkative").tap(() => answer);
      hook.facade("next").tap(() => {
        asked = true;
      });

      await hook.call({ number: 1 });

      expect(asked).toBe(true);
    },
  );

  it.each([
    ["false", false, "false"],
    ["a text", "too old", '"too old"'],
    ["an error", new Error("too old"), "an object"],
    ["a reason", { message: "too old" }, "an object"],
  ])("check fails when a tap returns %s instead of throwing it", async (_, answer, text) => {
    const { hook } = setUpHook("check");
    hook.facade("mistaken").tap(() => answer);

    await expect(hook.call({ number: 1 })).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "mistaken",
      message: `mistaken failed in area.happened: it returned ${text}; a tap of this hook rejects by throwing`,
    });
  });
});

describe("decide", () => {
  it("returns the first result that is not undefined and calls no further tap", async () => {
    const { factory } = setUp();
    const hook = factory.decide<Event, string>("pool.admit", docs);
    const asked: string[] = [];
    for (const [plugin, answer] of [
      ["a", undefined],
      ["b", "too cheap"],
      ["c", "too late"],
    ] as const) {
      hook.facade(plugin).tap(() => {
        asked.push(plugin);
        return answer;
      });
    }

    expect(await hook.call({ number: 1 })).toBe("too cheap");
    expect(asked).toEqual(["a", "b"]);
  });

  it.each([null, false, 0, ""])("accepts %j as a result", async (answer) => {
    const { factory } = setUp();
    const hook = factory.decide<Event, unknown>("pool.admit", docs);
    hook.facade("plugin").tap(() => answer);

    expect(await hook.call({ number: 1 })).toBe(answer);
  });

  it("waits for an asynchronous result", async () => {
    const { factory } = setUp();
    const hook = factory.decide<Event, string>("pool.admit", docs);
    hook.facade("plugin").tap(async () => "later");

    expect(await hook.call({ number: 1 })).toBe("later");
  });

  it("has no result if no tap returns one", async () => {
    const { factory } = setUp();
    const hook = factory.decide<Event, string>("pool.admit", docs);
    hook.facade("plugin").tap(() => undefined);

    expect(await hook.call({ number: 1 })).toBeUndefined();
  });

  it("rejects an invalid result, naming the plugin", async () => {
    const { factory } = setUp();
    const expected = { isRight: (answer: unknown) => answer === "no", text: '"no"' };
    const hook = factory.decide<Event, string>("pool.admit", docs, expected);
    hook.facade("plugin").tap(() => "banana");

    await expect((async () => hook.call({ number: 1 }))()).rejects.toMatchObject({
      code: "TAP_FAILED",
      plugin: "plugin",
      message: 'plugin failed in pool.admit: it returned "banana", expected "no" or undefined',
    });
  });

  it("is synchronous if its taps are, and waits for those that are not", async () => {
    const { factory } = setUp();
    const hook = factory.decide<Event, string>("pool.admit", docs);
    hook.facade("prompt").tap(({ number }) => (number === 1 ? "no" : undefined));
    hook.facade("slow").tap(async ({ number }) => (number === 2 ? "late" : undefined));
    hook.facade("last").tap(() => "last");

    expect(hook.call({ number: 1 })).toBe("no");
    expect(await hook.call({ number: 2 })).toBe("late");
    expect(await hook.call({ number: 3 })).toBe("last");
  });

  it("ignores a disabled plugin", async () => {
    const { factory, disabled } = setUp();
    const hook = factory.decide<Event, string>("pool.admit", docs);
    hook.facade("plugin").tap(() => "no");

    disabled.add("plugin");

    expect(await hook.call({ number: 1 })).toBeUndefined();
  });
});

describe.each(["refine", "rewrite"] as const)("%s", (kind) => {
  it("passes each tap the value of the previous one", async () => {
    const { hook } = setUpHook(kind);
    hook.facade("double").tap((value: number) => value * 2);
    hook.facade("increase").tap((value: number) => value + 1);

    expect(await hook.call(5, {})).toBe(11);
  });

  it("keeps the value if a tap returns nothing or is disabled", async () => {
    const { hook, disabled } = setUpHook(kind);
    hook.facade("silent").tap(() => undefined);
    hook.facade("double").tap((value: number) => value * 2);
    hook.facade("gone").tap(() => 0);
    disabled.add("gone");

    expect(await hook.call(5, {})).toBe(10);
  });

  it("returns the value unchanged without taps", async () => {
    const { hook } = setUpHook(kind);

    expect(await hook.call(5, {})).toBe(5);
  });

  it("passes every tap the same context", async () => {
    const { hook } = setUpHook(kind);
    const context = { parent: 1 };
    const seen: unknown[] = [];
    hook.facade("a").tap((_: number, given: unknown) => void seen.push(given));
    hook.facade("b").tap((_: number, given: unknown) => void seen.push(given));

    await hook.call(5, context);

    expect(seen).toEqual([context, context]);
  });
});

describe("refine", () => {
  it("waits for an asynchronous value", async () => {
    const { factory } = setUp();
    const hook = factory.refine<number, object>("build.header", docs);
    hook.facade("slow").tap(async (value) => value * 2);
    hook.facade("quick").tap((value) => value + 1);

    expect(await hook.call(5, {})).toBe(11);
  });
});

describe("rewrite", () => {
  it("returns synchronously", () => {
    const { factory } = setUp();
    const hook = factory.rewrite<number, object>("rpc.method", docs);
    hook.facade("double").tap((value) => value * 2);

    expect(hook.call(5, {})).toBe(10);
  });

  it("rejects an asynchronous tap, and handles its rejection", async () => {
    const { hook } = setUpHook("rewrite");
    hook.facade("slow").tap(async () => {
      await Promise.resolve();
      throw new Error("there are no listeners left");
    });

    expect(() => hook.call(5, {})).toThrowError(
      expect.objectContaining({ code: "TAP_FAILED", plugin: "slow" }),
    );
    await settled();
  });
});

// One test per row of the table of tapable's weaknesses in the architecture document.
describe("what tapable lacks", () => {
  it("taps can be removed: those of a disabled plugin are skipped", async () => {
    const { hook, disabled } = setUpHook("observe");
    let called = false;
    hook.facade("plugin").tap(() => {
      called = true;
    });

    disabled.add("plugin");
    await hook.call({ number: 1 });

    expect(called).toBe(false);
  });

  it("names need not be typed: the facade of a plugin adds its own", async () => {
    const { factory, failures } = setUp();
    const groups = { chain: { headChanged: factory.observe<Event>("chain.headChanged", docs) } };
    facadesFor(groups, "reorg-alarm").chain.headChanged.tap(() => {
      throw new Error("broken");
    });

    await groups.chain.headChanged.call({ number: 1 });

    expect(failures).toMatchObject([{ plugin: "reorg-alarm", hook: "chain.headChanged" }]);
  });

  it("arguments cannot drift: a tap receives one event object with all of its fields", async () => {
    const { hook } = setUpHook("check");
    const seen: unknown[][] = [];
    hook.facade("plugin").tap((...values) => void seen.push(values));

    await hook.call({ number: 1, added: "later" });

    expect(seen).toEqual([[{ number: 1, added: "later" }, undefined]]);
  });

  it.each(KINDS)("there is one way to tap: an async function works with every %s hook", (kind) => {
    const { hook } = setUpHook(kind);

    expect(() => hook.facade("plugin").tap(async () => undefined)).not.toThrow();
  });

  it("a failing tap stops the others only if the kind requires it", async () => {
    const outcomes = await Promise.all(
      KINDS.map(async (kind) => {
        const { hook } = setUpHook(kind);
        let reached = false;
        hook.facade("broken").tap(() => {
          throw new Error("broken");
        });
        hook.facade("next").tap(() => {
          reached = true;
        });
        await (async () => hook.call({}, {}))().catch(() => {});
        return [kind, reached];
      }),
    );

    expect(Object.fromEntries(outcomes)).toEqual({
      notify: true,
      observe: true,
      check: false,
      decide: false,
      refine: false,
      rewrite: false,
    });
  });

  it.each(KINDS)("plugins cannot call: the facade of a %s hook has a name and a tap", (kind) => {
    const { hook } = setUpHook(kind);

    expect(Object.keys(hook.facade("plugin")).toSorted()).toEqual(["name", "tap"]);
  });

  it("stages have names, and there are three", async () => {
    const { hook } = setUpHook("observe");
    const seen: TapStage[] = [];
    for (const stage of ["late", "normal", "early"] as const) {
      hook.facade("plugin").tap(() => void seen.push(stage), { stage });
    }

    await hook.call({ number: 1 });

    expect(seen).toEqual(["early", "normal", "late"]);
  });
});

describe("facadesFor", () => {
  it("provides a plugin every hook by its area and name", () => {
    const { factory } = setUp();
    const groups = {
      chain: { imported: factory.observe<Event>("chain.imported", docs) },
      pool: { admit: factory.decide<Event, string>("pool.admit", docs) },
    };

    const facades = facadesFor(groups, "plugin");

    expect(facades.chain.imported.name).toBe("chain.imported");
    expect(facades.pool.admit.name).toBe("pool.admit");
    expect(Object.keys(facades)).toEqual(["chain", "pool"]);
  });
});

function setUp() {
  const disabled = new Set<string>();
  const failures: TapFailure[] = [];
  const factory = new HookFactory({
    ownerOf: (plugin) => ({
      get active() {
        return !disabled.has(plugin);
      },
    }),
    failed: (failure) => failures.push(failure),
  });
  return { factory, disabled, failures };
}

function setUpHook(kind: HookKind) {
  const { factory, ...rest } = setUp();
  return { ...rest, factory, hook: createHook(factory, kind, "area.happened") };
}

function createHook(factory: HookFactory, kind: HookKind, name: string): AnyHook {
  const create = factory[kind].bind(factory) as (name: string, about: typeof docs) => unknown;
  return create(name, docs) as AnyHook;
}

/** Lets all pending callbacks run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("the runtime of a tap", () => {
  it("is that of the tapping plugin, once there is one", async () => {
    const owners: Record<string, { active: boolean; runtime?: object }> = {
      a: { active: true },
      b: { active: true },
    };
    const factory = new HookFactory({ ownerOf: (plugin) => owners[plugin], failed: () => {} });
    const hook = factory.check<object>("area.check", { since: "0.1.0", summary: "Something." });
    const seen: unknown[] = [];
    for (const plugin of ["a", "b"]) {
      hook.facade(plugin).tap((_, runtime) => void seen.push(runtime));
    }

    await hook.call({});
    for (const [name, owner] of Object.entries(owners)) owner.runtime = { name };
    await hook.call({});

    expect(seen).toEqual([undefined, undefined, { name: "a" }, { name: "b" }]);
  });
});
