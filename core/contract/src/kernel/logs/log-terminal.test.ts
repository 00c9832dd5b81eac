import { describe, expect, it } from "vitest";
import { createLogs } from "./log.js";

const ADDRESS = `0x${"ab".repeat(20)}`;
const HASH = `0x${"cd".repeat(32)}`;

describe("lines of a terminal", () => {
  it.each([
    ["info", "said port=1\n"],
    ["warn", "WARN  said port=1\n"],
    ["error", "ERROR said port=1\n"],
    ["debug", "DEBUG audit | said port=1\n"],
    ["trace", "TRACE audit | said port=1\n"],
  ] as const)("of the level %s are %j", (level, line) => {
    const { logs, lines } = setUp();

    logs.for("audit")[level]("said", { port: 1 });

    expect(lines).toEqual([line]);
  });

  it("color addresses and hashes, but nothing longer", () => {
    const { logs, lines } = setUp({ color: true });

    logs.for("audit").info(`${ADDRESS} ${HASH} ${HASH}ef`);

    expect(lines).toEqual([
      `\u001b[36m${ADDRESS}\u001b[39m \u001b[35m${HASH}\u001b[39m ${HASH}ef\n`,
    ]);
  });

  it("are entirely red or yellow for errors and warnings", () => {
    const { logs, lines } = setUp({ color: true });

    logs.for("audit").error(`lost ${HASH}`);
    logs.for("audit").warn("late");

    expect(lines).toEqual([
      `\u001b[31mERROR lost ${HASH}\u001b[39m\n`,
      "\u001b[33mWARN  late\u001b[39m\n",
    ]);
  });

  it("escape control characters", () => {
    const { logs, lines } = setUp({ color: true });

    logs.for("audit").info("a\u001b[2Jb", { name: "\u0007" });

    expect(lines[0]).toMatch(/^a\\u001b\[2Jb .*\\u0007\n$/);
  });
});

function setUp({ color = false } = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { lines, logs: createLogs({ level: "trace", format: "terminal", color, write }) };
}
