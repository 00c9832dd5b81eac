import type { Hash, SealedHeader } from "@plinth/core";
import type { HeaderRequest } from "@plinth/plugin-protocol-eth/api";
import { describe, expect, it } from "vitest";
import { HeaderParts, PART_HEADERS } from "./header-parts.js";
import type { JoiningPeer, JoiningPeers, PeerRequest } from "./joining-peers.js";

const LAST = 1300n;
/** The most headers that a peer sends at once. */
const MAX_HEADERS = 200;

const hashOf = (number: bigint, branch = 0): Hash =>
  `0x${branch.toString(16).padStart(2, "0")}${number.toString(16).padStart(62, "0")}`;

function headerOf(number: bigint, branch = 0): SealedHeader {
  const parentHash = hashOf(number - 1n, branch);
  // All branches have the same block 0.
  const hash = hashOf(number, number === 0n ? 0 : branch);
  return { number, hash, parentHash } as SealedHeader;
}

/** A peer with headers up to 20,000; those that it names by number are of a branch. */
function createPeer(branch = 0, most = (_: HeaderRequest) => MAX_HEADERS): JoiningPeer {
  const eth = {
    head: { number: 20_000n },
    async requestHeaders(request: HeaderRequest) {
      const { start, limit, skip, reverse } = request;
      const isNumber = typeof start === "bigint";
      const first = isNumber ? start : BigInt(`0x${start.slice(4)}`);
      const of = isNumber ? branch : Number(start.slice(0, 4));
      const step = (skip + 1n) * (reverse ? -1n : 1n);
      const count = Math.min(Number(limit), most(request));
      return Array.from({ length: count }, (_, at) => headerOf(first + step * BigInt(at), of));
    },
  };
  return { id: "0x01", eth, snap: undefined } as unknown as JoiningPeer;
}

function createParts(peer: JoiningPeer, last = LAST) {
  const peers = {
    all: () => [peer],
    isHere: () => true,
    async ask<T>({ isAble, ask }: PeerRequest<T>) {
      expect(isAble(peer)).toBe(true);
      return ask(peer);
    },
  } as unknown as JoiningPeers;
  const pivot = { header: headerOf(last), peer, laterHeaders: 64n };
  return new HeaderParts({ pivot, peers, genesisHash: hashOf(0n) });
}

async function readAll(parts: HeaderParts, from = 0): Promise<readonly SealedHeader[]> {
  const headers: SealedHeader[] = [];
  for (let part = from; part < parts.count; part++) headers.push(...(await parts.read(part)));
  return headers;
}

describe("headers of peers", () => {
  it("are read in parts, each once and in order, with those that follow the block", async () => {
    const headers = await readAll(createParts(createPeer()));

    const expected = Array.from({ length: Number(LAST) + 64 }, (_, at) => BigInt(at + 1));
    expect(headers.map(({ number }) => number)).toEqual(expected);
  });

  it("are read from any part on", async () => {
    const [first] = await readAll(createParts(createPeer()), 1);

    expect(first?.number).toBe(PART_HEADERS + 1n);
  });

  it.each<[string, (request: HeaderRequest) => boolean]>([
    ["before others", ({ reverse }) => reverse],
    ["at the ends of parts", ({ skip }) => skip > 0n],
    ["after the block", ({ skip, reverse }) => skip === 0n && !reverse],
  ])("are not read from a peer that sends few at a time: %s", async (_, isSlow) => {
    const peer = createPeer(0, (request) => (isSlow(request) ? 2 : MAX_HEADERS));
    const parts = createParts(peer, 19_000n);

    await expect(readAll(parts)).rejects.toThrow(/^it sent \d of \d+ headers$/);
  });

  it("are refused if those that a peer names do not lead to the block", async () => {
    const peer = createPeer(1);
    const parts = createParts(peer);

    await expect(readAll(parts)).rejects.toMatchObject({ code: "JOIN_REFUSED" });
    expect(parts.atFault()).toEqual([peer]);
  });
});
