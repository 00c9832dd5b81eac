import type { Hash } from "@plinth/core";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { CloneProgress } from "./clone-progress.js";

const keyOf = (digits: string): Hash => `0x${digits.padEnd(64, "0")}`;

function create(limitGib = 1) {
  const lines: string[] = [];
  const clock = new FakeClock();
  const log = { info: (text: string) => lines.push(text) };
  return {
    clock,
    lines,
    progress: new CloneProgress({ clock, log, limitGib, option: "--fork-clone-limit" }),
  };
}

describe("the progress of a clone", () => {
  it("is logged every five seconds, with the rest of the time", async () => {
    const { clock, lines, progress } = create();

    progress.account(keyOf("20"));
    await clock.advance(5_000);
    progress.slots(3);
    progress.account(keyOf("80"));

    expect(lines).toEqual([
      "Cloning the state: 2 accounts, 3 slots, 0.0 MiB (50 %), about 7 s left",
    ]);
  });

  it("ends with an error that names the option if the state is too large", () => {
    const { progress } = create();

    progress.code(2 ** 30);

    expect(() => progress.slots(1)).toThrow("--fork-clone-limit=1 (GiB)");
  });
});
