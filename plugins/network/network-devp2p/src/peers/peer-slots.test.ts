import { describe, expect, it } from "vitest";
import { PeerSlots, type SlotHolder } from "./peer-slots.js";

const peers = (inbound: number, outbound: number): readonly SlotHolder[] => [
  ...Array.from({ length: inbound }, (_, n) => ({ id: `0xa${n}`, direction: "inbound" }) as const),
  ...Array.from(
    { length: outbound },
    (_, n) => ({ id: `0xb${n}`, direction: "outbound" }) as const,
  ),
];
const LIMITS = { maxPeers: 5, maxInbound: 3, isRandom: false };
const newcomer = (direction: "inbound" | "outbound") => ({ id: "0xff", direction }) as const;

describe("slots", () => {
  it.each([
    [0, 0, "inbound", true],
    [2, 0, "inbound", true],
    [3, 0, "inbound", false],
    [2, 3, "inbound", false],
    [3, 1, "outbound", true],
    [3, 2, "outbound", false],
    [0, 5, "outbound", false],
  ] as const)(
    "with %d inbound and %d outbound: an %s peer is admitted: %s",
    (inbound, outbound, direction, isAdmitted) => {
      const slots = new PeerSlots(LIMITS, () => 100);

      const verdict = slots.decide(newcomer(direction), peers(inbound, outbound));

      expect(verdict).toEqual({ isAdmitted });
      expect(slots.hasRoom(peers(inbound, outbound))).toBe(inbound + outbound < 5);
    },
  );

  it("go to an outbound peer instead of the least useful inbound one, if there are too many inbound", () => {
    const scores: Record<string, number> = { "0xa0": 90, "0xa1": 80, "0xa2": 100, "0xa3": 100 };
    const slots = new PeerSlots(LIMITS, (id) => scores[id] ?? 0);
    const holders = peers(4, 1);

    expect(slots.hasRoom(holders)).toBe(true);
    expect(slots.decide(newcomer("outbound"), holders)).toEqual({
      isAdmitted: true,
      evicted: { id: "0xa1", direction: "inbound" },
    });
  });
});
