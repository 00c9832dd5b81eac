import type { Hash, SealedHeader } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { verifyRequiredBlocks } from "./required-blocks.js";

const OURS: Hash = `0x${"11".repeat(32)}`;
const THEIRS: Hash = `0x${"22".repeat(32)}`;

describe("a peer with required blocks", () => {
  it("stays if it has them", async () => {
    const { peer, asked } = aPeer([OURS]);

    await verifyRequiredBlocks(peer, new Map([[100n, OURS]]));

    expect(asked).toEqual([100n]);
  });

  it("stays while it does not have the number yet", async () => {
    await expect(
      verifyRequiredBlocks(aPeer([]).peer, new Map([[100n, OURS]])),
    ).resolves.toBeUndefined();
  });

  it("is useless with another block at the number", async () => {
    await expect(
      verifyRequiredBlocks(aPeer([THEIRS]).peer, new Map([[100n, OURS]])),
    ).rejects.toMatchObject({ name: "PeerError", reason: "useless-peer" });
  });
});

/** A peer that responds to every request with these headers. */
function aPeer(hashes: readonly Hash[]) {
  const asked: unknown[] = [];
  const peer = {
    async requestHeaders({ start }: { start: unknown }) {
      asked.push(start);
      return hashes.map((hash) => ({ hash }) as SealedHeader);
    },
  };
  return { peer, asked };
}
