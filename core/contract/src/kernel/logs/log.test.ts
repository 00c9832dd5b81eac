import { describe, expect, it } from "vitest";
import { createLogs, type Logger, type LogSettings, silentLogs } from "./log.js";
import type { LogLevel } from "./log-line.js";

const LEVELS = ["error", "warn", "info", "debug", "trace"] as const;

describe("levels", () => {
  it.each<[LogLevel, readonly string[]]>([
    ["off", []],
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
    ["trace", ["error", "warn", "info", "debug", "trace"]],
  ])("%s writes %j", async (level, written) => {
    const { logs, entries } = await setUp({ level });
    const log = logs.for("audit");

    sayOnEveryLevel(log);

    expect(entries().map((entry) => entry.level)).toEqual(written);
    expect(LEVELS.filter((each) => log.isEnabled(each))).toEqual(written);
    expect(logs.levelOf("audit")).toBe(level);
  });

  it("of all loggers change at runtime", async () => {
    const { logs, messages } = await setUp({ level: "info" });
    const [a, b] = [logs.for("a"), logs.for("b")];

    logs.setLevel("debug");
    a.debug("a speaks");
    b.debug("b speaks");
    logs.setLevel("off");
    a.error("a is quiet");

    expect(messages()).toEqual(["a speaks", "b speaks"]);
  });

  it("of one logger change without the others", async () => {
    const { logs, messages } = await setUp({ level: "info" });
    const [a, b] = [logs.for("a"), logs.for("b")];

    logs.setLevel("debug", "a");
    a.debug("a speaks");
    b.debug("b is quiet");

    expect(messages()).toEqual(["a speaks"]);
    expect([logs.levelOf("a"), logs.levelOf("b")]).toEqual(["debug", "info"]);
  });

  it("apply to loggers created later", async () => {
    const { logs, messages } = await setUp({ level: "info" });

    logs.setLevel("warn");
    logs.for("late").info("late is quiet");

    expect(messages()).toEqual([]);
    expect(logs.levelOf("late")).toBe("warn");
  });

  it("of one logger can be set before it is created", async () => {
    const { logs, messages } = await setUp({ level: "info" });

    logs.setLevel("debug", "late");
    logs.for("late").debug("late speaks");

    expect(messages()).toEqual(["late speaks"]);
    expect([logs.levelOf("late"), logs.levelOf("other")]).toEqual(["debug", "info"]);
  });

  it("of all loggers override those set for one", async () => {
    const { logs } = await setUp({ level: "info" });
    logs.for("made");
    logs.setLevel("debug", "made");
    logs.setLevel("debug", "late");

    logs.setLevel("error");

    expect([logs.levelOf("made"), logs.levelOf("late")]).toEqual(["error", "error"]);
  });

  it("are shared by all loggers with the same name", async () => {
    const { logs, messages } = await setUp({ level: "info" });
    const [one, two] = [logs.for("audit"), logs.for("audit")];

    logs.setLevel("error", "audit");
    one.info("quiet");
    two.info("quiet too");

    expect(messages()).toEqual([]);
  });
});

describe("JSON lines", () => {
  it("are one object each, with time, level, logger, message and fields", async () => {
    const { logs, lines, entries } = await setUp();

    logs.for("rpc-http").info("listening", { port: 8545 });

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]*\n$/);
    const { time, ...entry } = entries()[0] ?? {};
    expect(entry).toEqual({ level: "info", plugin: "rpc-http", message: "listening", port: 8545 });
    expect(new Date(String(time)).toISOString()).toBe(time);
  });

  it("stay one line whatever the message contains", async () => {
    const { logs, lines, messages } = await setUp();

    logs.for("audit").info('two\nlines, a "quote" and 100 % %s');

    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain("\n");
    expect(messages()).toEqual(['two\nlines, a "quote" and 100 % %s']);
  });

  it("write bigints as strings", async () => {
    const { logs, entries } = await setUp();

    logs.for("audit").info("paid", { wei: 2n ** 70n });

    expect(entries()).toMatchObject([{ wei: "1180591620717411303424" }]);
  });

  it("write errors with their stack", async () => {
    const { logs, entries } = await setUp();
    const error = new TypeError("broken");

    logs.for("audit").error("it failed", { error });

    expect(entries()).toMatchObject([{ error: error.stack }]);
  });

  it("keep their own members, whatever the names of fields", async () => {
    const { logs, entries } = await setUp();

    logs.for("audit").info("paid", { level: 7, plugin: "other", time: "never", message: "forged" });

    expect(entries()).toMatchObject([{ level: "info", plugin: "audit", message: "paid" }]);
    expect(entries()[0]?.time).not.toBe("never");
  });

  it("write nested bigints as strings, and cyclic values as inspected", async () => {
    const { logs, entries } = await setUp();
    const circle: { self?: unknown } = {};
    circle.self = circle;

    logs.for("audit").info("paid", { block: { fees: [1n] } });
    logs.for("audit").info("paid", { circle });

    expect(entries()).toMatchObject([
      { block: { fees: ["1"] } },
      { circle: expect.stringContaining("Circular") },
    ]);
  });

  it.each(awkwardFields())("cope with %s", async (_, fields) => {
    const { logs, messages } = await setUp();

    logs.for("audit").info("still said", fields);

    expect(messages()).toEqual(["still said"]);
  });
});

describe("console lines", () => {
  it.each(awkwardFields())("cope with %s", async (_, fields) => {
    const { logs, lines } = await setUp({ format: "console" });

    logs.for("audit").info("still said", fields);

    expect(lines).toEqual([expect.stringContaining("still said")]);
  });
});

describe("silentLogs", () => {
  it("write nothing and have the full interface", () => {
    const log = silentLogs.for("audit");

    silentLogs.setLevel("trace");
    sayOnEveryLevel(log);

    expect(silentLogs.levelOf("audit")).toBe("off");
    expect(LEVELS.some((level) => log.isEnabled(level))).toBe(false);
  });
});

function awkwardFields(): [string, Record<string, unknown>][] {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  return [
    ["nested bigints", { block: { number: 5n, fees: [1n, 2n] } }],
    ["a cyclic object", { circle }],
    ["a field without a value", { plugin: undefined, other: null }],
    ["an error inside another field", { result: { error: new Error("broken") } }],
    ["a function and a symbol", { run: () => {}, mark: Symbol("mark") }],
    ["its own toJSON", { toJSON: () => "replaced" }],
    ["an error that is its own cause", { error: ownCause() }],
    ["a field that cannot be read", unreadable()],
    ["an error that cannot be read", { error: unreadable(new Error("a")) }],
    ["a value that cannot be inspected", { value: revoked() }],
  ];
}

function ownCause(): Error {
  const error = new Error("round and round");
  error.cause = error;
  return error;
}

function unreadable(target: object = {}): Record<string, unknown> {
  return Object.defineProperty(target as Record<string, unknown>, "stack", {
    enumerable: true,
    get() {
      throw new Error("not for reading");
    },
  });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function sayOnEveryLevel(log: Logger): void {
  for (const level of LEVELS) log[level](`said on ${level}`);
}

async function setUp(settings: Partial<LogSettings> = {}) {
  const lines: string[] = [];
  const logs = createLogs({
    level: "info",
    format: "json",
    color: false,
    write: (line) => void lines.push(line),
    ...settings,
  });
  const entries = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));
  return { logs, lines, entries, messages: () => entries().map(({ message }) => message) };
}
