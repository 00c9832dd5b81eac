import { type Address, type Hash, hexToBytes, keccak256, t, toHex } from "@plinth/core";
import type { JoinedSlot } from "@plinth/core/chain";
import { RemoteInconsistent } from "../remote/errors.js";
import { decodeSent } from "../remote/read-chain.js";
import { CloneRefused } from "./clone-refused.js";
import type { CloneSource } from "./clone-source.js";
import { PageOrder } from "./page-order.js";
import { rootOf, type Storage, toSlots } from "./storage-root.js";

/** Where a list of slots is read: the state after a transaction, or before the first of the next block. */
interface Place {
  readonly block: Hash;
  readonly index: number;
}

const PAGE = 2_000;
const SLOTS_AT_ONCE = 200;
const ZERO_KEY: Hash = `0x${"00".repeat(32)}`;
/** The slots of one account are in memory, about 300 bytes each. */
const MAX_SLOTS = 1_000_000;

const page = t.object({
  storage: t.record(t.object({ key: t.optional(t.hash), value: t.hash })),
  nextKey: t.optional(t.hash),
});
const proof = t.object({ storageHash: t.hash });

/** The hash of the storage of an account. */
export async function readStorageRoot(source: CloneSource, address: Address): Promise<Hash> {
  const json = await source.ask("eth_getProof", [address, [], { blockHash: source.hash }]);
  return decodeSent(source.remote, proof, "proof", json).storageHash;
}

/**
 * The storage of an account after a block, which has the root that the node names.
 *
 * Nodes list slots after a transaction, not after a block. So the list is read before the first transaction of the next
 * block, or after the last one of this block. If what blocks do at their start or end makes a difference, the values of
 * all slots listed are read one by one.
 */
export async function readStorage(
  source: CloneSource,
  { address, root }: { readonly address: Address; readonly root: Hash },
): Promise<readonly JoinedSlot[]> {
  const all: Storage = new Map();
  const places = await placesOf(source);
  for (const place of places) {
    const storage = await listSlots(source, { address, place });
    if ((await rootOf(storage)) === root) return toSlots(storage);
    for (const [key, slot] of storage) all.set(key, slot);
  }
  const corrected = await readValues(source, { address, listed: all });
  const found = await rootOf(corrected);
  if (found === root) return toSlots(corrected);
  throw new RemoteInconsistent(
    source.remote.name,
    `the slots that it lists for ${address} at block ${source.header.number} have the root ${found}, but the account has ${root}${places.length > 1 ? "" : ". Slots that a block wrote without a transaction are listed once there is a block after it"}`,
  );
}

async function placesOf(source: CloneSource): Promise<readonly Place[]> {
  const here = { block: source.hash, index: source.lastIndex };
  const next = await source.findNext();
  return next === undefined ? [here] : [{ block: next.hash, index: next.transactions }, here];
}

async function listSlots(
  source: CloneSource,
  { address, place }: { readonly address: Address; readonly place: Place },
): Promise<Storage> {
  const slots: Storage = new Map();
  const order = new PageOrder(source.remote.name, `slots of ${address}`);
  for (let start: Hash | undefined = ZERO_KEY; start !== undefined; ) {
    const params: readonly unknown[] = [place.block, place.index, address, start, PAGE];
    const { storage, nextKey }: ReturnType<typeof page.decode> = decodeSent(
      source.remote,
      page,
      "page of slots",
      await source.ask("debug_storageRangeAt", params),
    );
    const known = slots.size;
    for (const [named, { key: slot, value }] of Object.entries(storage)) {
      const key = decodeSent(source.remote, t.hash, "hash of a slot", named);
      if (slot !== undefined && toHex(keccak256(hexToBytes(slot))) !== key) {
        throw new RemoteInconsistent(
          source.remote.name,
          `the hash of the slot ${slot} is not ${key}`,
        );
      }
      slots.set(key, { slot, value: BigInt(value) });
    }
    if (slots.size > MAX_SLOTS) {
      throw new CloneRefused(
        `${address} has more than ${MAX_SLOTS} slots, which is the limit of a clone for one account`,
        { allowsLazy: true },
      );
    }
    start = order.next(start, { next: nextKey, added: slots.size - known });
  }
  return slots;
}

async function readValues(
  source: CloneSource,
  { address, listed }: { readonly address: Address; readonly listed: Storage },
): Promise<Storage> {
  const corrected: Storage = new Map();
  const known = [...listed].flatMap(([key, { slot }]) =>
    slot === undefined ? [] : [{ key, slot }],
  );
  const block = { blockHash: source.hash };
  for (let start = 0; start < known.length; start += SLOTS_AT_ONCE) {
    const some = known.slice(start, start + SLOTS_AT_ONCE);
    const values = await source.askAll(
      some.map(({ slot }) => ({ method: "eth_getStorageAt", params: [address, slot, block] })),
    );
    for (const [index, { key, slot }] of some.entries()) {
      const value = BigInt(decodeSent(source.remote, t.hash, "value of a slot", values[index]));
      if (value > 0n) corrected.set(key, { slot, value });
    }
  }
  return corrected;
}
