import { describe, expect, it } from "vitest";
import { createLogs } from "./log.js";

describe("console lines", () => {
  it("are columns: time, main, level, logger, message and fields", async () => {
    const { logs, lines } = await setUp();

    logs.for("rpc-http").info("JSON-RPC service started", { host: "127.0.0.1", port: 8545 });

    expect(lines).toEqual([
      expect.stringMatching(
        /^\S+ \S+ \| main \| INFO {2}\| rpc-http \| JSON-RPC service started host=127\.0\.0\.1 port=8545\n$/,
      ),
    ]);
  });

  it("start with the local time, to the millisecond and with its zone", async () => {
    const { logs, lines } = await setUp();
    const before = Date.now();

    logs.for("audit").info("now");

    const [day, time] = lines[0]?.split(" ") ?? [];
    expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(time).toMatch(/^\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{2}:\d{2}$/);
    const written = Date.parse(`${day}T${time}`);
    expect(written).toBeGreaterThanOrEqual(before);
    expect(written).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ["error", "ERROR", "\u001b[31m"],
    ["warn", "WARN ", "\u001b[33m"],
    ["info", "INFO ", "\u001b[32m"],
    ["debug", "DEBUG", "\u001b[36m"],
    ["trace", "TRACE", "\u001b[90m"],
  ] as const)(
    "of the level %s contain %s, in its color if colors are on",
    async (level, word, color) => {
      const plain = await setUp();
      const colored = await setUp({ color: true });

      plain.logs.for("audit")[level]("said");
      colored.logs.for("audit")[level]("said");

      expect(plain.lines[0]).toContain(` | main | ${word} | audit | said\n`);
      expect(colored.lines[0]).toContain(` | main | ${color}${word}\u001b[0m | audit | said\n`);
    },
  );

  it("have no escape codes without colors", async () => {
    const { logs, lines } = await setUp();

    logs.for("audit").error("said", { port: 8545 });

    expect(lines[0]).not.toContain("\u001b");
  });

  it("dim the names of fields when colors are on", async () => {
    const { logs, lines } = await setUp({ color: true });

    logs.for("audit").info("said", { port: 8545 });

    expect(lines[0]).toContain("said \u001b[2mport=\u001b[0m8545\n");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a text", { peer: "0x1" }, " peer=0x1"],
    ["a number", { count: 5 }, " count=5"],
    ["a boolean", { ready: false }, " ready=false"],
    ["null", { head: null }, " head=null"],
    ["an amount", { wei: 2n ** 70n }, " wei=1180591620717411303424"],
    ["a list", { apis: ["ETH", "NET"] }, ' apis=["ETH","NET"]'],
    ["an object", { place: { host: "a" } }, ' place={"host":"a"}'],
    ["several, in their order", { b: 1, a: 2 }, " b=1 a=2"],
    ["none", {}, ""],
  ])("show %s", async (_, fields, text) => {
    const { logs, lines } = await setUp();

    logs.for("audit").info("said", fields);

    expect(lines[0]).toMatch(/ \| audit \| said/);
    expect(lines[0]?.split(" | said")[1]).toBe(`${text}\n`);
  });

  it("omit fields without a value", async () => {
    const { logs, lines } = await setUp();

    logs.for("audit").info("said", { plugin: undefined, port: 1 });

    expect(lines[0]?.split(" | said")[1]).toBe(" port=1\n");
  });

  it("escape control characters, with colors too", async () => {
    const { logs, lines } = await setUp({ color: true });

    logs.for("audit").info("a\u001b[2Jb\u009bc\u202ed\r", {
      name: "\u001b]0;title\u0007",
      list: ["\u009b"],
      "a\n\u001b": 1,
    });

    expect(lines[0]).toMatch(/\| a\\u001b\[2Jb\\u009bc\\u202ed\\u000d/);
    expect(lines[0]).toContain("\\u001b]0;title\\u0007");
    expect(lines[0]).toContain('["\\u009b"]');
    expect(lines[0]).toContain("a\\n\\u001b=");
  });

  it("show errors with their stack", async () => {
    const { logs, lines } = await setUp();
    const error = new TypeError("broken");

    logs.for("audit").error("it failed", { error });

    expect(lines[0]).toContain(`it failed error=${error.stack}\n`);
  });

  it("distinguish loggers", async () => {
    const { logs, lines } = await setUp();
    const [a, b] = [logs.for("a"), logs.for("b")];

    a.info("one");
    b.info("two");
    a.info("three");

    expect(lines.map((line) => line.split(" | ").slice(3).join(" | "))).toEqual([
      "a | one\n",
      "b | two\n",
      "a | three\n",
    ]);
  });
});

async function setUp({ color = false } = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const logs = createLogs({ level: "trace", format: "console", color, write });
  return { logs, lines };
}
