import type { SealedBlock } from "@plinth/core";
import { describe, expect, it, vi } from "vitest";
import { RecentBlocks } from "./recent-blocks.js";

const block = { header: {}, body: { transactions: [], uncles: [] } } as unknown as SealedBlock;

describe("recently read blocks", () => {
  it("are read once", () => {
    const { blocks } = new RecentBlocks(10_000);
    const read = vi.fn(() => block);

    expect(blocks.find("0x01", read)).toBe(block);
    expect(blocks.find("0x01", read)).toBe(block);

    expect(read).toHaveBeenCalledTimes(1);
  });

  it("are read again if they were missing", () => {
    const { blocks } = new RecentBlocks(10_000);

    expect(blocks.find("0x01", () => undefined)).toBeUndefined();
    expect(blocks.find("0x01", () => block)).toBe(block);
  });

  it("are evicted, the least recently used first", () => {
    // Capacity for two.
    const { blocks } = new RecentBlocks(7000);
    blocks.find("0x01", () => block);
    blocks.find("0x02", () => block);
    blocks.find("0x01", () => block);
    blocks.find("0x03", () => block);
    const read = vi.fn(() => block);

    blocks.find("0x01", read);
    expect(read).not.toHaveBeenCalled();
    blocks.find("0x02", read);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("are not cached if a single one is too large", () => {
    const { blocks } = new RecentBlocks(100);
    const read = vi.fn(() => block);

    blocks.find("0x01", read);
    blocks.find("0x01", read);

    expect(read).toHaveBeenCalledTimes(2);
  });
});
