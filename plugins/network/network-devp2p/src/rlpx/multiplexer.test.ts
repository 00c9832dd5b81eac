import { describe, expect, it } from "vitest";
import { Multiplexer } from "./multiplexer.js";

const eth = (version: number) => ({ name: "eth", version, length: version >= 69 ? 18 : 17 });
const istanbul = { name: "istanbul", version: 100, length: 22 };
const IBF = { name: "IBF", version: 1, length: 4 };
const snap = { name: "snap", version: 1, length: 8 };

/** The ids that Besu and geth compute. */
const SESSIONS = [
  ["eth/68", [eth(68)], [["eth", 0x10, 0x20]]],
  [
    "IBFT 2.0",
    [eth(68), IBF],
    [
      ["IBF", 0x10, 0x13],
      ["eth", 0x14, 0x24],
    ],
  ],
  [
    "QBFT",
    [istanbul, eth(68)],
    [
      ["eth", 0x10, 0x20],
      ["istanbul", 0x21, 0x36],
    ],
  ],
  [
    "QBFT with eth/69",
    [eth(68), eth(69), istanbul],
    [
      ["eth", 0x10, 0x21],
      ["istanbul", 0x22, 0x37],
    ],
  ],
  [
    "eth and snap",
    [snap, eth(68)],
    [
      ["eth", 0x10, 0x20],
      ["snap", 0x21, 0x28],
    ],
  ],
] as const;

describe("message ids", () => {
  it.each(SESSIONS)("of a session with %s", (_, protocols, ranges) => {
    const multiplexer = new Multiplexer(protocols, protocols);

    for (const [protocol, [name, first, last]] of ranges.entries()) {
      expect(multiplexer.protocols[protocol]?.name).toBe(name);
      expect(multiplexer.find(first)).toEqual({ protocol, code: 0 });
      expect(multiplexer.find(last)).toEqual({ protocol, code: last - first });
      expect(multiplexer.encode({ protocol, code: last - first })).toBe(last);
    }
    const end = ranges.at(-1)?.[2] ?? 0;
    expect(multiplexer.find(end + 1)).toBeUndefined();
    expect(multiplexer.find(0x0f)).toBeUndefined();
  });

  it("of a QBFT proposal is 0x33", () => {
    const multiplexer = new Multiplexer([eth(68), istanbul], [istanbul, eth(68), snap]);

    expect(multiplexer.encode({ protocol: 1, code: 0x12 })).toBe(0x33);
  });
});
