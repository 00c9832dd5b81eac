import { createMemoryStorageDriver, loadCrypto } from "@plinth/core";
import { EnclaveError } from "@plinth/kit-enclave";
import {
  createKeyPair,
  encodeCborPayload,
  encodeGroup,
  encodeLegacy,
  encodePartyInfo,
  forRecipient,
  loadSodium,
  Sealer,
} from "@plinth/plugin-enclave/api";
import { expect, it } from "vitest";
import { MemoryManagers } from "../support/memory-managers.js";
import { createDice, cut, flip, insert } from "../support/mutate.js";

/** `npm run long -- fuzz-enclave` sends a million. */
const MESSAGES = Number(process.env.PLINTH_ENCLAVE_MESSAGES ?? 6_000);
const SEED = Number(process.env.PLINTH_ENCLAVE_SEED ?? 1);
const VERSIONS = new Set(["3.0", "5.0"]);
const STRANGER = { address: "192.0.2.1" };
const SECRET = new TextEncoder().encode("nothing of this may come out");

it(
  `a manager rejects ${MESSAGES} mutated messages of others, and stores nothing it cannot read`,
  async () => {
    await loadCrypto();
    const sodium = await loadSodium();
    const network = new MemoryManagers(sodium);
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const own = createKeyPair(sodium);
    const sender = createKeyPair(sodium);
    const manager = await network.add("http://127.0.0.1:1/", own, { store });
    const sealed = new Sealer(sodium).seal(SECRET, {
      sender,
      recipients: [own.publicKey, sender.publicKey],
      privacyGroupId: new Uint8Array(32).fill(9),
    });
    const pushed = forRecipient(sealed, own.publicKey) ?? sealed;
    const group = encodeGroup({
      name: "group",
      description: "of two",
      members: [own.publicKey, sender.publicKey],
      seed: new Uint8Array(20).fill(3),
      type: "PANTHEON",
      state: "ACTIVE",
    });
    const url = "http://127.0.0.1:2/";
    const recipients = [{ key: sender.publicKey, url }];
    const info = encodePartyInfo({ url, recipients, parties: [url] });
    const take = {
      cbor: (bytes: Uint8Array) => manager.payloads.accept(bytes, STRANGER),
      legacy: (bytes: Uint8Array) => manager.payloads.accept(bytes, STRANGER),
      group: (bytes: Uint8Array) => manager.groups.accept(bytes, STRANGER),
      info: (bytes: Uint8Array) => manager.discovery.accept(bytes, VERSIONS),
      question: async (bytes: Uint8Array) => manager.validate(bytes),
    };
    const whole: Record<keyof typeof take, Uint8Array> = {
      cbor: encodeCborPayload(pushed),
      legacy: encodeLegacy(pushed),
      group,
      info,
      question: encodeLegacy(pushed),
    };
    const kinds = Object.keys(take) as (keyof typeof take)[];
    const ways = [flip, cut, insert];
    const dice = createDice(SEED);
    let refused = 0;
    for (let message = 0; message < MESSAGES; message++) {
      const kind = kinds[dice(kinds.length)] ?? "cbor";
      let bytes = whole[kind];
      for (let change = 0; change <= dice(3); change++) {
        bytes = (ways[dice(ways.length)] ?? flip)(bytes, dice);
      }
      await take[kind](bytes).then(
        (answer) => expect(kind === "question" ? answer : undefined).toBeUndefined(),
        (error) => {
          expect(error).toBeInstanceOf(EnclaveError);
          expect(error.message).not.toContain("nothing of this");
          refused += 1;
        },
      );
    }

    expect(refused).toBeGreaterThan(MESSAGES / 2);
    for await (const [hash] of store.table("enclave.payloads").iterate()) {
      expect(manager.payloads.receive(hash).payload).toEqual(SECRET);
    }
  },
  60_000 + MESSAGES * 5,
);
