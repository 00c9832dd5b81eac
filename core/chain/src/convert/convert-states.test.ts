import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Header,
  type KeyValueStore,
  keccak256,
  loadCrypto,
  type SealedHeader,
  toHex,
  ZERO_HASH,
} from "@plinth/core";
import { encodeHeader, NO_UNCLES_HASH, sealHeader } from "@plinth/core/blocks";
import { TABLES } from "@plinth/core/storage";
import { beforeAll, describe, expect, it } from "vitest";
import { openStates } from "../flat/open-states.js";
import { formatEntry, readFormat } from "../flat/state-format.js";
import { StateStore } from "../state/state-store.js";
import { bytesOf } from "../state/state-values.js";
import { ChainStore } from "../store/chain-store.js";
import { StateWalk } from "../verify/verify-state.js";
import type { ConversionSettings } from "./conversion-context.js";
import { convertStates } from "./convert-states.js";

beforeAll(loadCrypto);

const BLOCKS = 12;
/** The block that deletes the account of block 0. */
const CLEARED = 8;
const SLOT = toHex(new Uint8Array(32).fill(1));
/** Every batch has a few values. */
const maxBatchBytes = 200;
const RECORD = Buffer.from("state-conversion");

describe("an interrupted conversion", () => {
  it("starts over with other options, even if that is interrupted too", async () => {
    const { store, head } = await createForest();
    await convertUntil({ store, history: 4, proofBlocks: 2 }, { step: "blocks" });
    await convertUntil({ store, history: 9, proofBlocks: 2 }, { commits: 3 });
    await convertStates({ store, history: 4, proofBlocks: 2, maxBatchBytes });

    await verify(store, head);
  });

  it("has the changes of all blocks that can be removed if the option was raised", async () => {
    const { store, head } = await createForest();
    await convertUntil({ store, proofBlocks: 2 }, { step: "tries" });
    await convertStates({ store, proofBlocks: 6, maxBatchBytes });

    const states = openStates(store, { proofBlocks: 6 });
    const old = headerOf(store, Number(head.number) - 6);
    expect(states.prove(old, { address: addressOf(1), slots: [] }).account?.balance).toBe(6n);
  });

  it.each([
    ["cut off", (record: string) => record.slice(0, 20)],
    ["without members", () => "{}"],
    ["of a later version", (record: string) => record.replace('"blocks"', '"codes"')],
  ])("starts over if its record is %s", async (_, change) => {
    const { store, head } = await createForest();
    await convertUntil({ store, proofBlocks: 2 }, { step: "blocks" });
    const record = store.table(TABLES.chain).getSync(RECORD) ?? new Uint8Array();
    const batch = store.batch();
    batch.put(TABLES.chain, RECORD, Buffer.from(change(Buffer.from(record).toString())));
    await batch.commit();
    await convertStates({ store, proofBlocks: 2, maxBatchBytes });

    await verify(store, head);
  });

  it("ends before the next batch if its signal is aborted, and continues later", async () => {
    const { store, head } = await createForest();
    const stop = new AbortController();
    const reason = new Error("asked to stop");
    const aborted = convertStates({
      store,
      proofBlocks: 2,
      maxBatchBytes,
      signal: stop.signal,
      onProgress: (step) => step === "blocks" && stop.abort(reason),
    });
    await expect(aborted).rejects.toBe(reason);
    expect(readFormat(store)).toBe("FOREST");
    expect(new StateStore(store).has(head)).toBe(true);

    await convertStates({ store, proofBlocks: 2, maxBatchBytes });
    await verify(store, head);
  });
});

describe("a conversion", () => {
  it("keeps the tries of cleared storage as long as the changes that lead to them", async () => {
    const { store } = await createForest();
    await convertStates({ store, history: 10, proofBlocks: 2, maxBatchBytes });

    const states = openStates(store, { history: 10, proofBlocks: 8 });
    const proof = states.prove(headerOf(store, CLEARED - 1), {
      address: addressOf(2),
      slots: [SLOT],
    });
    expect(proof.slots[0]?.value).toBe(1n);
  });

  it("leaves the state of a block 0 that is not written yet", async () => {
    const store = await openStore();
    const root = await addState(store, EMPTY_ROOT, 0);
    const batch = store.batch();
    batch.put(TABLES.chain, ...formatEntry("FOREST"));
    await batch.commit();
    await convertStates({ store, proofBlocks: 2 });

    expect(new StateStore(store).has({ stateRoot: root })).toBe(true);
  });
});

const STOPPED = new Error("stopped here");

/** Converts until a step begins, or up to a number of commits. */
async function convertUntil(
  settings: ConversionSettings,
  { step, commits = Number.POSITIVE_INFINITY }: { step?: string; commits?: number },
): Promise<void> {
  let left = commits;
  const { store } = settings;
  const stopping: KeyValueStore = {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch() {
      const batch = store.batch();
      return {
        put: (...entry) => batch.put(...entry),
        delete: (...entry) => batch.delete(...entry),
        async commit() {
          if (left-- <= 0) throw STOPPED;
          await batch.commit();
        },
      };
    },
  };
  const onProgress = (now: string) => {
    if (now === step) left = Math.min(left, 1);
  };
  const run = convertStates({ ...settings, store: stopping, maxBatchBytes, onProgress });
  await expect(run).rejects.toBe(STOPPED);
}

/** Verifies the database as `db verify --full` does. */
async function verify(store: KeyValueStore, head: SealedHeader): Promise<void> {
  expect(readFormat(store)).toBe("BONSAI");
  const problems: unknown[] = [];
  for await (const item of new StateWalk(store).runAll(head)) problems.push(...item.problems);
  expect(problems).toEqual([]);
}

/** A chain whose every block changes one account and writes another one. */
async function createForest(): Promise<{ store: KeyValueStore; head: SealedHeader }> {
  const store = await openStore();
  const chain = new ChainStore(store);
  let head: SealedHeader | undefined;
  for (let number = 0; number <= BLOCKS; number++) {
    const stateRoot = await addState(store, head?.stateRoot ?? EMPTY_ROOT, number);
    head = sealed({ number: BigInt(number), parentHash: head?.hash ?? ZERO_HASH, stateRoot });
    const batch = store.batch();
    batch.put(TABLES.headers, bytesOf(head.hash), encodeHeader(head));
    chain.addToCanonical(batch, { header: head, body: { transactions: [], uncles: [] } });
    chain.setHead(batch, head.hash);
    await batch.commit();
  }
  return { store, head: head as SealedHeader };
}

async function addState(store: KeyValueStore, stateRoot: Header["stateRoot"], number: number) {
  const states = new StateStore(store);
  const state = states.open({ stateRoot });
  state.setAccount(addressOf(1), { balance: BigInt(number) });
  state.setAccount(addressOf(number + 2), { balance: 1n });
  state.setStorage(addressOf(number + 2), SLOT, BigInt(number + 1));
  if (number === CLEARED) state.deleteAccount(addressOf(2));
  const update = states.update(state);
  states.add(update);
  const batch = store.batch();
  states.writeTo(batch);
  await batch.commit();
  return update.root;
}

function openStore(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}

function headerOf(store: KeyValueStore, number: number): SealedHeader {
  const chain = new ChainStore(store);
  return chain.findHeader(chain.findHash(BigInt(number)) ?? ZERO_HASH) as SealedHeader;
}

function addressOf(digit: number): Address {
  return toHex(new Uint8Array(20).fill(digit));
}

function sealed(fields: Pick<Header, "number" | "parentHash" | "stateRoot">): SealedHeader {
  const header: Header = {
    unclesHash: NO_UNCLES_HASH,
    coinbase: addressOf(0),
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    gasLimit: 0n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: new Uint8Array(),
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
    ...fields,
  };
  return sealHeader(header, toHex(keccak256(encodeHeader(header))));
}
