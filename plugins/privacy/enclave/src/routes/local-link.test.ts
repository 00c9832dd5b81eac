import { describe, expect, it } from "vitest";
import { LocalLink } from "./local-link.js";

describe("the link to a manager in the same process", () => {
  it("serves one caller per turn of the event loop, regardless of how many call at once", async () => {
    let turn = 0;
    const served: number[] = [];
    const handle = () => {
      served.push(turn);
      return { status: 200, body: "{}" };
    };
    const link = new LocalLink([{ method: "POST", path: "/send", maxBytes: 10, handle }]);
    const count = () => {
      turn += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);

    await Promise.all(Array.from({ length: 20 }, () => link.post("/send", {})));

    clearImmediate(ticking);
    expect(new Set(served).size).toBe(20);
  });
});
