import { describe, expect, it } from "vitest";
import { agreeProtocols, formatCapability } from "./capability.js";

const eth = (version: number) => ({ name: "eth", version, length: version > 68 ? 18 : 17 });
const istanbul = { name: "istanbul", version: 100, length: 22 };
const IBF = { name: "IBF", version: 1, length: 4 };
const snap = { name: "snap", version: 1, length: 8 };

describe("the protocols of a connection", () => {
  it.each([
    [
      "the highest shared version of a name",
      [eth(66), eth(68)],
      [eth(62), eth(68), snap],
      [eth(68)],
    ],
    ["a lower one if the peer has no newer", [eth(68), eth(69)], [eth(68)], [eth(68)]],
    ["in ascending order of names", [istanbul, eth(68)], [istanbul, eth(68)], [eth(68), istanbul]],
    ["upper case before lower case", [eth(68), IBF], [eth(68), IBF, snap], [IBF, eth(68)]],
    ["none if nothing is shared", [eth(68)], [eth(67), snap], []],
    ["once, however often the peer announces it", [eth(68)], [eth(68), eth(68)], [eth(68)]],
  ])("are %s", (_, ours, theirs, agreed) => {
    expect(agreeProtocols(ours, theirs)).toEqual(agreed);
  });

  it("are formatted with name and version", () => {
    expect(formatCapability(istanbul)).toBe("istanbul/100");
  });
});
