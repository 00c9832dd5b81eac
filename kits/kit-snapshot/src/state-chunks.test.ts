import { StateStore } from "@plinth/chain";
import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  hexToBytes,
  keccak256,
  loadCrypto,
  toHex,
} from "@plinth/core";
import { describe, expect, it } from "vitest";
import { decodeChunk } from "./decode-chunk.js";
import { encodeChunk } from "./encode-chunk.js";
import type { StateFile } from "./manifest.js";
import { SnapshotError } from "./snapshot-error.js";
import type { StateChunk } from "./state-chunk.js";
import { type CreatedChunk, createChunks } from "./state-chunks.js";
import { formatPosition } from "./state-position.js";

await loadCrypto();

const ACCOUNTS = 100;
const LARGE = addressOf(7);
const SLOTS = 150;
const FILLED = await filledState();

describe("the chunks of a state", () => {
  it("contain all of it, each verified alone", () => {
    const { root, state, states } = FILLED;

    const chunks = [...createChunks(state, 2000)];
    const decoded = chunks
      .toReversed()
      .map((chunk, index) => decode(chunk, root, index))
      .toReversed();

    const balances = new Map<string, bigint>();
    const slots = new Map<string, bigint>();
    for (const { accounts } of decoded) {
      for (const { address = "unknown", account, slots: some } of accounts) {
        balances.set(address, account.balance);
        for (const { slot = "unknown", value } of some) slots.set(`${address} ${slot}`, value);
      }
    }
    expect(balances.size).toBe(ACCOUNTS);
    expect(balances.get(addressOf(12))).toBe(12n);
    expect(slots.size).toBe(SLOTS + 2);
    expect(slots.get(`${LARGE} ${slotOf(149)}`)).toBe(150n);
    expect(slots.get(`${addressOf(3)} ${slotOf(1)}`)).toBe(5n);
    expect(states.findPreimage(toHex(keccak256(hexToBytes(LARGE))))).toBe(LARGE);
  });

  it("follow each other without gaps", () => {
    const { state } = FILLED;

    const chunks = [...createChunks(state, 2000)];

    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks[0]?.from).toEqual({ account: new Uint8Array(32) });
    expect(chunks.slice(1).map(({ from }) => from)).toEqual(
      chunks.slice(0, -1).map(({ to }) => to),
    );
    expect(chunks.at(-1)?.to).toBeUndefined();
    expect(chunks.filter(({ from }) => from.slot !== undefined).length).toBe(2);
  });

  it.each([1, 100, 1000, 50_000, 2 ** 20])("are verified if they have %i bytes", (bytes) => {
    const { root, state } = FILLED;

    const decoded = [...createChunks(state, bytes)].map((chunk) => decode(chunk, root));

    expect(keysOf(decoded).size).toBe(ACCOUNTS);
  });

  it("have so few slots by default that the process that decodes them stays small", async () => {
    const { state } = await filledState(10_000);

    const slots = [...createChunks(state)].flatMap(({ accounts }) =>
      accounts.reduce((count, { slots }) => count + slots.length, 0),
    );

    expect(Math.max(...slots)).toBeLessThan(8_200);
  });

  it("have keys instead of addresses and slots that are not known", () => {
    const { root, state } = FILLED;

    const decoded = [...createChunks({ ...state, findPreimage: () => undefined }, 2000)].map(
      (chunk) => decode(chunk, root),
    );

    expect(keysOf(decoded).size).toBe(ACCOUNTS);
    const [first] = decoded.flatMap(({ accounts }) => accounts);
    expect(first).not.toHaveProperty("address");
  });

  it("are none of an empty state", () => {
    const { state } = FILLED;

    expect([...createChunks({ ...state, root: EMPTY_ROOT })]).toEqual([]);
  });
});

describe("a chunk is refused", () => {
  it.each(["accounts", "a part of a storage"])("with any byte of %s changed", (kind) => {
    const { root, state } = FILLED;
    const chunks = [...createChunks(state, kind === "accounts" ? 500 : 300)];
    const chunk = chunks.find(({ from, accounts }) =>
      kind === "accounts" ? accounts.length > 2 : from.slot !== undefined,
    );
    if (chunk === undefined) return expect.fail(`there is no chunk of ${kind}`);
    const file = fileOf(chunk);
    decodeChunk(chunk.content, root, file);

    for (let at = 0; at < chunk.content.length; at++) {
      const changed = Buffer.from(chunk.content);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      if (!isRefused(changed, root, file)) expect.fail(`byte ${at} may be changed`);
    }
    for (let length = 0; length < chunk.content.length; length += 7) {
      expect(isRefused(chunk.content.subarray(0, length), root, file)).toBe(true);
    }
    expect(isRefused(Buffer.concat([chunk.content, Buffer.alloc(1)]), root, file)).toBe(true);
  });

  it("in the place of another one", () => {
    const { root, state } = FILLED;
    const chunks = [...createChunks(state, 2000)];

    chunks.forEach((chunk, index) => {
      const other = chunks[(index + 1) % chunks.length] ?? chunk;
      expect(() => decodeChunk(chunk.content, root, fileOf(other))).toThrow("state-000000.bin");
    });
  });

  it("against another root", () => {
    const { state } = FILLED;
    const [chunk] = createChunks(state);
    if (chunk === undefined) return expect.fail("no chunk");

    expect(() =>
      decodeChunk(chunk.content, toHex(keccak256(hexToBytes("0x01"))), fileOf(chunk)),
    ).toThrow("not proven");
  });

  it("if its storage is that of another account, or incomplete", () => {
    const { root, state } = FILLED;
    const [chunk] = createChunks(state);
    if (chunk === undefined) return expect.fail("no chunk");
    const proof = [Uint8Array.of(1)];
    const without = chunk.accounts.map((account) => ({
      ...account,
      slots: account.slots.slice(1),
    }));

    const content = encodeChunk({ accounts: without, proof });
    const empty = encodeChunk({ accounts: [], proof });

    expect(() => decodeChunk(content, root, fileOf(chunk))).toThrow("not proven");
    expect(() => decodeChunk(empty, root, fileOf(chunk))).toThrow("no accounts");
  });
});

function decode(chunk: CreatedChunk, root: Hash, index = 0): StateChunk {
  return decodeChunk(chunk.content, root, { ...fileOf(chunk), name: `state-${index}.bin` });
}

function isRefused(content: Uint8Array, root: Hash, file: StateFile): boolean {
  try {
    decodeChunk(content, root, file);
    return false;
  } catch (error) {
    if (error instanceof SnapshotError && error.message.startsWith(`${file.name}: `)) return true;
    throw error;
  }
}

function fileOf({ from, to, content }: CreatedChunk): StateFile {
  return {
    name: "state-000000.bin",
    kind: "state",
    bytes: content.length,
    compressedBytes: content.length,
    sha256: toHex(new Uint8Array(32)),
    from: formatPosition(from),
    ...(to !== undefined && { to: formatPosition(to) }),
  };
}

function keysOf(chunks: readonly StateChunk[]): ReadonlySet<string> {
  return new Set(chunks.flatMap(({ accounts }) => accounts.map(({ key }) => toHex(key))));
}

/** Accounts with balances, one with two slots, one with many. */
async function filledState(slots = SLOTS) {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const changed = states.open({ stateRoot: EMPTY_ROOT });
  for (let number = 0; number < ACCOUNTS; number++) {
    changed.setAccount(addressOf(number), { balance: BigInt(number), nonce: BigInt(number % 3) });
  }
  changed.setStorage(addressOf(3), slotOf(0), 1n);
  changed.setStorage(addressOf(3), slotOf(1), 5n);
  for (let slot = 0; slot < slots; slot++)
    changed.setStorage(LARGE, slotOf(slot), BigInt(slot + 1));
  const update = states.update(changed);
  states.add(update);
  const { root } = update;
  const tries = states.open({ stateRoot: root }).source.openTries();
  const state = { root, tries, findPreimage: (key: Hash) => states.findPreimage(key) };
  return { root, states, state };
}

function addressOf(number: number): Address {
  return `0x${(number + 1).toString(16).padStart(40, "0")}`;
}

function slotOf(number: number): Hash {
  return `0x${number.toString(16).padStart(64, "0")}`;
}
