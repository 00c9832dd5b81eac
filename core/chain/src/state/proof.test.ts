import { verifyMerkleProof } from "@ethereumjs/mpt";
import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  type Hex,
  hexToBytes,
  keccak256,
  loadCrypto,
} from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "./state-store.js";
import { decodeAccount, decodeSlotValue } from "./state-values.js";

beforeAll(loadCrypto);

const CONTRACT = addressOf(1);

describe("a proof", () => {
  it("proves accounts and slots against the root", async () => {
    const { states, root } = await filledState();

    for (const number of [1, 2, 50, 199]) {
      const { account, proof } = states.prove(
        { stateRoot: root },
        { address: addressOf(number), slots: [] },
      );
      const proven = await verify(addressOf(number), proof);

      expect(proven.root).toBe(root);
      expect(proven.value && decodeAccount(proven.value)).toEqual(account);
      expect(account?.balance).toBe(BigInt(number));
    }
  });

  it("proves slots under the storage root of the account", async () => {
    const { states, root } = await filledState();
    const slots = [slotOf(0), slotOf(7), slotOf(99), slotOf(5000)];

    const { account, slots: proofs } = states.prove(
      { stateRoot: root },
      { address: CONTRACT, slots },
    );

    expect(proofs.map(({ value }) => value)).toEqual([1n, 8n, 100n, 0n]);
    for (const { slot, value, proof } of proofs) {
      const proven = await verify(slot, proof);
      expect(proven.root).toBe(account?.storageRoot);
      expect(proven.value === null ? 0n : decodeSlotValue(proven.value)).toBe(value);
    }
  });

  it("proves the absence of an account", async () => {
    const { states, root } = await filledState();

    const { account, proof, slots } = states.prove(
      { stateRoot: root },
      { address: addressOf(1000), slots: [slotOf(1)] },
    );

    expect(account).toBeUndefined();
    expect(await verify(addressOf(1000), proof)).toEqual({ root, value: null });
    expect(slots).toEqual([{ slot: slotOf(1), value: 0n, proof: [] }]);
  });

  it("has no nodes for an empty trie", async () => {
    const states = await emptyStates();

    const { account, proof } = states.prove(
      { stateRoot: EMPTY_ROOT },
      { address: CONTRACT, slots: [] },
    );

    expect({ account, proof }).toEqual({ account: undefined, proof: [] });
  });
});

/** 200 accounts, and 100 slots of the first. */
async function filledState(): Promise<{ readonly states: StateStore; readonly root: Hash }> {
  const states = await emptyStates();
  const state = states.open({ stateRoot: EMPTY_ROOT });
  for (let number = 1; number < 200; number++) {
    state.setAccount(addressOf(number), { balance: BigInt(number) });
  }
  for (let slot = 0; slot < 100; slot++) state.setStorage(CONTRACT, slotOf(slot), BigInt(slot + 1));
  const update = states.update(state);
  states.add(update);
  return { states, root: update.root };
}

async function emptyStates(): Promise<StateStore> {
  return new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
}

async function verify(identity: Hex, proof: readonly Uint8Array[]) {
  const value = await verifyMerkleProof(keccak256(bytes(identity)), [...proof]);
  return { root: keccakHash(proof[0] ?? new Uint8Array()), value };
}

function bytes(hex: Hex): Uint8Array {
  return hexToBytes(hex);
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

function slotOf(number: number): Hash {
  return `0x${number.toString(16).padStart(64, "0")}`;
}
