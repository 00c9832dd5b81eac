import {
  ALICE,
  createTestNode,
  DEV_GENESIS,
  FakeClock,
  recordLogs,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import devConsole from "./index.js";
import { describeFailure } from "./outcomes.js";

const word = (value: number) => value.toString(16).padStart(64, "0");
const reverted = (returnValue: string) => ({
  outcome: "reverted" as const,
  gasUsed: 0n,
  returnValue: Buffer.from(returnValue, "hex"),
  logs: [],
});

async function startNode(code = "") {
  const recorded = recordLogs();
  const address = "0x00000000000000000000000000000000000000cc" as const;
  const alloc = { ...DEV_GENESIS.alloc, [address]: { code: `0x${code}` } };
  const clock = new FakeClock(1_700_000_000_000);
  const node = await createTestNode({
    plugins: [devConsole],
    genesis: code === "" ? undefined : { ...DEV_GENESIS, alloc },
    logs: recorded,
    clock,
  });
  return { node, recorded, address, clock, [Symbol.asyncDispose]: () => node.stop() };
}

describe("the console of a development chain", () => {
  it("has one line per block, and a summary at the end", async () => {
    await using console = await startNode();
    await console.node.mine([transfer(), transfer()], []);
    await console.clock.advance(2_000);
    await console.node.stop();

    const lines = console.recorded.entries
      .filter(({ logger }) => logger === "dev-console")
      .map(({ message }) => message);
    expect(lines).toEqual([
      "#1 · 2 transactions · 42,000 gas (0%) · 2023-11-14T22:13:20Z",
      "#2 · empty",
      "2 blocks with 2 transactions (0 failed) and 42,000 gas in 2 seconds",
    ]);
  });

  it("logs why a transaction failed and which contract one created", async () => {
    const reason = Buffer.from("no").toString("hex").padEnd(64, "0");
    await using console = await startNode(
      `6064600c60003960646000fd08c379a0${word(32)}${word(2)}${reason}`,
    );

    await console.node.mine([
      { to: console.address, gasLimit: 100_000n },
      { data: "60fe60005360016000f3", gasLimit: 100_000n },
    ]);

    await console.node.stop();
    const lines = console.recorded.entries.map(({ level, message }) => `${level} ${message}`);
    expect(lines).toContainEqual(
      expect.stringMatching(/^warn {3}0x[0-9a-f]{64} 21,\d{3} gas · reverted: no$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^info {3}0x[0-9a-f]{64} created 0x/));
  });

  it("escapes terminal control characters, and breaks no line", async () => {
    const text = Buffer.from("\u001b[2J\n\u009bx");
    const padded = text.toString("hex").padEnd(64, "0");
    await using console = await startNode(
      `6064600c60003960646000fd08c379a0${word(32)}${word(text.length)}${padded}`,
    );

    await console.node.mine([{ to: console.address, gasLimit: 100_000n }]);

    await console.node.stop();
    const messages = console.recorded.entries.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/reverted: \\u001b\[2J\\n\\u009bx$/));
  });

  it("shows no keys when no plugin provides accounts", async () => {
    await using console = await startNode();

    expect(JSON.stringify(console.recorded.entries)).not.toContain(ALICE.key);
  });
});

describe("a failure", () => {
  it.each([
    ["", "reverted without a reason"],
    [`4e487b71${word(17)}`, "reverted: panic: arithmetic underflow or overflow (0x11)"],
    [`4e487b71${word(2)}`, "reverted: panic: a code that Solidity does not have (0x02)"],
    ["1425ea42", "reverted: custom error 0x1425ea42"],
    [`1425ea42${word(1)}`, `reverted: custom error 0x1425ea42 with ${word(1)}`],
    ["14", "reverted: 0x14"],
  ])("of %s is shown as %s", (data, text) => {
    expect(describeFailure(reverted(data))).toBe(text);
  });

  it("of the EVM is described in words", () => {
    expect(describeFailure({ ...reverted(""), outcome: "halted", halt: "INSUFFICIENT_GAS" })).toBe(
      "failed: out of gas",
    );
  });
});
