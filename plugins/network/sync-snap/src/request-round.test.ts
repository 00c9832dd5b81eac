import { describe, expect, it } from "vitest";
import { RequestRound } from "./request-round.js";

const LACKING = { id: "0x01" } as const;
const MUTE = { id: "0x02" } as const;

describe("a request to several peers", () => {
  it("is over once all of them lack it, however often one fails that is mute", () => {
    const round = new RequestRound();
    round.lacks(LACKING.id);

    expect(round.isOver([LACKING])).toBe(true);
    for (let count = 0; count < 3; count++) {
      expect(round.isOver([LACKING, MUTE])).toBe(false);
      round.failed(MUTE.id);
      expect(round.isLeft(MUTE.id)).toBe(false);
      round.next();
      expect(round.isLeft(MUTE.id)).toBe(true);
    }
    expect(round.isOver([LACKING, MUTE])).toBe(true);
  });

  it("is not over while no peer says that it lacks it", () => {
    const round = new RequestRound();
    for (let count = 0; count < 5; count++) round.failed(MUTE.id);

    expect(round.isOver([MUTE])).toBe(false);
    expect(round.isOver([])).toBe(false);
  });
});
