import { verifyRange } from "@plinth/chain";
import {
  decodeRlp,
  encodeRlp,
  type Hash,
  hexToBytes,
  keccak256,
  loadCrypto,
  type ProtocolPeer,
  type Rlp,
  toHex,
  ZERO_HASH,
} from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { ALICE, createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import protocolSnap from "./index.js";
import { CODES } from "./messages.js";
import { SnapSession } from "./snap-session.js";

await loadCrypto();

const CONTRACT = `0x${"c0".repeat(20)}`;
const CODE = hexToBytes("0x60016002");
const LAST_KEY = Buffer.alloc(32, 0xff);
const FIRST_KEY = new Uint8Array(32);
const slotOf = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [CONTRACT]: {
      balance: "0x1",
      code: toHex(CODE),
      storage: Object.fromEntries(
        Array.from({ length: 200 }, (_, n) => [slotOf(n), slotOf(n + 1)]),
      ),
    },
  },
};
const CONTRACT_KEY = keccak256(hexToBytes(CONTRACT));

describe("a request by snap/1", () => {
  it("gets accounts in slim form, with a proof", async () => {
    await using node = await startSnap();

    const [accounts, proof] = await node.ask(CODES.getAccountRange, [
      node.root,
      FIRST_KEY,
      LAST_KEY,
      scalarBytes(10_000n),
    ]);

    const entries = listOf(accounts).map((item) => {
      const [key, body] = listOf(item);
      return { key: bytesOf(key), value: encodeRlp(fatten(listOf(body))) };
    });
    const range = { origin: FIRST_KEY, entries, proof: listOf(proof).map(bytesOf) };
    expect(entries.length).toBe(node.accounts);
    expect(verifyRange(toHex(node.root), range).hasMore).toBe(false);
  });

  it.each([
    [0n, 1],
    [1n, 1],
    [100n, 3],
  ])("gets accounts until they exceed %i bytes", async (bytes, most) => {
    await using node = await startSnap();

    const [accounts, proof] = await node.ask(CODES.getAccountRange, [
      node.root,
      FIRST_KEY,
      LAST_KEY,
      scalarBytes(bytes),
    ]);

    expect(listOf(accounts).length).toBeGreaterThan(0);
    expect(listOf(accounts).length).toBeLessThanOrEqual(most);
    expect(listOf(proof).length).toBeGreaterThan(0);
  });

  it("gets a whole storage without a proof, and a part of one with it", async () => {
    await using node = await startSnap();
    const storageRoot = (await node.accountOf(CONTRACT)).storageRoot;
    const ask = (origin: Uint8Array, bytes: bigint) =>
      node.ask(CODES.getStorageRanges, [
        node.root,
        [CONTRACT_KEY, keccak256(hexToBytes(ALICE.address))],
        origin,
        new Uint8Array(),
        scalarBytes(bytes),
      ]);

    const [whole, noProof] = await ask(new Uint8Array(), 100_000n);
    const [part, proof] = await ask(new Uint8Array(), 1000n);
    const [rest, restProof] = await ask(Buffer.alloc(32, 0x80), 100_000n);

    expect(listOf(listOf(whole)[0]).length).toBe(200);
    expect(noProof).toEqual([]);
    const verify = (slots: Rlp | undefined, nodes: Rlp | undefined, origin: Uint8Array) =>
      verifyRange(storageRoot, {
        origin,
        entries: listOf(listOf(slots)[0]).map((slot) => {
          const [key, value] = listOf(slot).map(bytesOf);
          return { key: key ?? FIRST_KEY, value: value ?? FIRST_KEY };
        }),
        proof: listOf(nodes).map(bytesOf),
      });
    expect(verify(part, proof, FIRST_KEY).hasMore).toBe(true);
    expect(verify(rest, restProof, Buffer.alloc(32, 0x80)).hasMore).toBe(false);
  });

  it("gets codes that exist", async () => {
    await using node = await startSnap();
    const hashes = [hexToBytes(EMPTY_CODE_HASH), FIRST_KEY, keccak256(CODE)];

    const [codes] = await node.ask(CODES.getByteCodes, [hashes, scalarBytes(1000n)]);

    expect(listOf(codes).map((code) => toHex(bytesOf(code)))).toEqual(["0x", toHex(CODE)]);
  });

  it("gets nodes of tries, and empty ones where there are none", async () => {
    await using node = await startSnap();
    const storageRoot = (await node.accountOf(CONTRACT)).storageRoot;
    const root = Uint8Array.of(0);

    const [nodes] = await node.ask(CODES.getTrieNodes, [
      node.root,
      [
        [root],
        [Uint8Array.of(0x20)],
        [Buffer.alloc(40)],
        [CONTRACT_KEY, root, Uint8Array.of(0x11)],
      ],
      scalarBytes(100_000n),
    ]);

    const [first, leaf, long, storage, child] = listOf(nodes).map(bytesOf);
    expect(keccak256(first ?? FIRST_KEY)).toEqual(node.root);
    expect([leaf?.length, long?.length]).toEqual([0, 0]);
    expect(toHex(keccak256(storage ?? FIRST_KEY))).toBe(storageRoot);
    expect(child?.length).toBeGreaterThan(32);
  });

  it("gets the state of an earlier block, and nothing of an unknown one", async () => {
    await using node = await startSnap();
    await node.mine();
    const ask = (root: Uint8Array) =>
      node.ask(CODES.getAccountRange, [root, FIRST_KEY, LAST_KEY, scalarBytes(10_000n)]);

    const [accounts] = await ask(node.root);

    expect(listOf(accounts).length).toBeGreaterThan(0);
    expect(await ask(hexToBytes(ZERO_HASH))).toEqual([[], []]);
  });
});

describe("a peer is disconnected", () => {
  it.each<[string, number, Uint8Array, string]>([
    ["for a message that does not exist", 8, Uint8Array.of(0xc0), "no message 8"],
    ["for a request that is too long", 0, new Uint8Array(300_000), "the limit is"],
    [
      "for an empty list of paths",
      6,
      encodeRlp([FIRST_KEY.subarray(31, 31), FIRST_KEY, [[]], FIRST_KEY.subarray(31, 31)]),
      "at least one path",
    ],
    ["for bytes that are not RLP", 0, Uint8Array.of(0xff), "RLP"],
  ])("%s", async (_, code, payload, reason) => {
    await using node = await startSnap();

    await expect(node.receive(code, payload)).rejects.toThrow(reason);
  });

  it("not for a response, which is ignored", async () => {
    await using node = await startSnap();

    await node.receive(1, Uint8Array.of(0xc0));

    expect(node.sent).toEqual([]);
  });
});

/** A session on a node with one block. */
async function startSnap() {
  const node = await createTestNode({
    plugins: [protocolSnap],
    options: { XsnapsyncServerEnabled: true },
    genesis: GENESIS,
  });
  await node.mine([transfer()]);
  const { blocks } = node.node;
  const sent: { readonly code: number; readonly payload: Uint8Array }[] = [];
  const peer = {
    send: (code: number, payload: Uint8Array) => sent.push({ code, payload }) > 0,
    drained: async () => {},
  };
  const session = new SnapSession(peer as unknown as ProtocolPeer, blocks);
  const receive = async (code: number, payload: Uint8Array) => {
    if (session.takes(code, payload.length)) await session.received(code, payload);
  };
  const header = blocks.head();
  return {
    sent,
    receive,
    root: hexToBytes(header.stateRoot),
    accounts: [...blocks.accountsFrom(header, ZERO_HASH)].length,
    mine: () => node.mine([transfer()]),
    async accountOf(address: string) {
      const { account } = blocks.prove(header, { address: address as Hash, slots: [] });
      return account ?? expect.fail(`no account ${address}`);
    },
    async ask(code: number, body: readonly Rlp[]): Promise<readonly Rlp[]> {
      await receive(code, encodeRlp([scalarBytes(7n), ...body]));
      const response = sent.pop() ?? expect.fail("no response");
      const [id, ...rest] = listOf(decodeRlp(response.payload));
      expect(response.code).toBe(code + 1);
      expect(id).toEqual(Uint8Array.of(7));
      return rest;
    },
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

/** An account with the values that its slim form omits. */
function fatten(items: readonly Rlp[]): Rlp {
  const [nonce = [], balance = [], root, code] = items;
  const or = (item: Rlp | undefined, hash: Hash) =>
    item === undefined || item.length === 0 ? hexToBytes(hash) : item;
  const emptyRoot = toHex(keccak256(Uint8Array.of(0x80)));
  return [nonce, balance, or(root, emptyRoot), or(code, EMPTY_CODE_HASH)];
}

function listOf(item: Rlp | undefined): readonly Rlp[] {
  return item === undefined || item instanceof Uint8Array ? expect.fail("no list") : item;
}

function bytesOf(item: Rlp | undefined): Uint8Array {
  return item instanceof Uint8Array ? item : expect.fail("no bytes");
}
