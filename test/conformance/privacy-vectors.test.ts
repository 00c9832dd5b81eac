import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes, loadCrypto, RlpError, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { fromBase64, legacyGroupId, toBase64 } from "@plinth/kit-enclave";
import {
  decodeCborPayload,
  decodeGroup,
  decodeLegacy,
  decodePartyInfo,
  encodeCborPayload,
  encodeGroup,
  encodeLegacy,
  encodePartyInfo,
  forRecipient,
  groupIdOf,
  hashOf,
  type KeyPair,
  loadSodium,
  lookupIdOf,
  openKeyFile,
  Sealer,
  type Sodium,
} from "@plinth/plugin-enclave/api";
import {
  decodePrivateTransaction,
  encodePrivateTransaction,
  encodeSigningPayload,
  findPrivateSender,
  groupOf,
  privateContractAddress,
  privateSigningHash,
  signPrivateTransaction,
} from "@plinth/plugin-privacy/api";
import { CONFORMANCE, isConformanceMissing, VECTORS } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const read = (name: string, folder = VECTORS) =>
  JSON.parse(readFileSync(join(folder, name), "utf8"));
const vectors = read("privacy-vectors.json");
const tessera = vectors.tessera;
const bytesOf = (text: string) => fromBase64(text, "vector");

let sodium: Sodium;
beforeAll(async () => {
  await loadCrypto();
  sodium = await loadSodium();
});

describe("private transactions", () => {
  it("are decoded, hashed and encoded as expected", () => {
    for (const { rlp, fields, signingKey } of vectors.privateTransactions) {
      const transaction = decodePrivateTransaction(hexToBytes(rlp));
      expect(toHex(encodePrivateTransaction(transaction))).toBe(rlp);
      expect(describeTransaction(transaction)).toEqual({
        nonce: BigInt(fields.nonce),
        gasPrice: BigInt(fields.gasPrice),
        gasLimit: BigInt(fields.gasLimit),
        to: fields.to ?? undefined,
        value: BigInt(fields.value),
        data: fields.data,
        v: BigInt(fields.v),
        chainId: fields.chainId === null ? undefined : BigInt(fields.chainId),
        r: BigInt(fields.r),
        s: BigInt(fields.s),
        privateFrom: fields.privateFrom,
        group: fields.privacyGroupId ?? fields.legacyPrivacyGroupId,
        restriction: fields.restriction || "unsupported",
      });
      expect(toHex(encodeSigningPayload(transaction))).toBe(fields.signingPreimage);
      expect(toHex(privateSigningHash(transaction))).toBe(fields.signingHash);
      expect(findPrivateSender(transaction)).toBe(fields.recoveredSender);
      if (signingKey !== undefined) {
        expect(toHex(signPrivateTransaction(transaction, hexToBytes(signingKey)))).toBe(rlp);
      }
    }
  });

  it("are rejected in another form", () => {
    for (const { rlp } of vectors.invalidPrivateTransactions) {
      expect(() => decodePrivateTransaction(hexToBytes(rlp))).toThrow(RlpError);
    }
  });

  it.skipIf(isConformanceMissing)("match the client", () => {
    for (const { rlp, raw } of read("privacy/private-transactions.json", CONFORMANCE)) {
      const transaction = decodePrivateTransaction(hexToBytes(rlp));
      expect(toHex(encodePrivateTransaction(transaction))).toBe(rlp);
      expect(toHex(transaction.data)).toBe(raw[5]);
    }
  });

  it("create contracts whose address depends on the group", () => {
    for (const vector of vectors.privateContractAddresses.vectors) {
      const { sender, privateNonce, privacyGroupId, contractAddress } = vector;
      const group = bytesOf(privacyGroupId);
      const nonce = BigInt(privateNonce);
      expect(privateContractAddress({ sender, nonce, group })).toBe(contractAddress);
    }
  });

  it("are marked by public transactions", () => {
    for (const vector of vectors.markerTransactions) {
      const { signingKey, raw, to } = vector;
      const marker = signTransaction(
        {
          chainId: undefined,
          nonce: BigInt(vector.nonce),
          gasPrice: BigInt(vector.gasPrice),
          gasLimit: BigInt(vector.gasLimit),
          to,
          value: BigInt(vector.value ?? 0),
          data: hexToBytes(vector.data),
        },
        hexToBytes(signingKey),
      );
      expect(toHex(marker)).toBe(raw);
    }
  });

  function describeTransaction(transaction: ReturnType<typeof decodePrivateTransaction>) {
    const { privateFrom, privateFor, privacyGroupId, data, ...rest } = transaction;
    return {
      ...rest,
      data: toHex(data),
      privateFrom: toBase64(privateFrom),
      group: toBase64(groupOf(transaction)),
    };
  }
});

describe("privacy group ids", () => {
  it("are derived from the members", () => {
    for (const { members, privacyGroupId } of vectors.legacyPrivacyGroupIds.vectors) {
      expect(toBase64(legacyGroupId(members.map(bytesOf)))).toBe(privacyGroupId);
    }
  });

  it("are derived from members and seed", () => {
    for (const { members, seed, privacyGroupId } of vectors.pantheonPrivacyGroupIds.vectors) {
      const group = { members: members.map(bytesOf), seed: hexToBytes(seed) };
      const rest = { name: "", description: "", type: "PANTHEON", state: "ACTIVE" } as const;
      expect(toBase64(groupIdOf({ ...rest, ...group }))).toBe(privacyGroupId);
    }
  });

  it("are looked up by the members alone", () => {
    for (const { members, privacyGroupId } of vectors.privacyGroupLookupIds.vectors) {
      expect(toBase64(lookupIdOf(members.map(bytesOf)))).toBe(privacyGroupId);
    }
  });

  it.skipIf(isConformanceMissing)("match an independent program", () => {
    const others = read("privacy/group-ids.json", CONFORMANCE);
    expect(others.length).toBeGreaterThan(50);
    for (const { privacyGroupId, privacyGroup } of others) {
      expect(toBase64(legacyGroupId(privacyGroup.map(bytesOf)))).toBe(privacyGroupId);
    }
  });
});

describe("what managers exchange", () => {
  it("is hashed as in orion mode", () => {
    const [{ inputUtf8, outputBase64 }] = tessera.messageDigests;
    expect(toBase64(hashOf({ cipherText: new TextEncoder().encode(inputUtf8) }))).toBe(
      outputBase64,
    );
  });

  it("is a payload in every form of the legacy codec", () => {
    expect(tessera.encodedPayloads).toHaveLength(11);
    for (const { encoded, decoded } of tessera.encodedPayloads) {
      const payload = decodeLegacy(hexToBytes(encoded));
      expect({
        senderKey: toBase64(payload.senderKey),
        cipherText: toHex(payload.cipherText),
        cipherTextNonce: toHex(payload.cipherTextNonce),
        recipientBoxes: payload.recipientBoxes.map(toHex),
        recipientNonce: toHex(payload.recipientNonce),
        recipientKeys: payload.recipientKeys.map(toBase64),
        privacyMode: payload.privacyMode,
        affectedContractTransactions: payload.affected.map((pair) => pair.map(toHex)),
        ...(payload.execHash === undefined ? {} : { execHash: toHex(payload.execHash) }),
      }).toEqual(decoded);
      // Older forms omit the end, which is written today.
      expect(toHex(encodeLegacy(payload)).startsWith(encoded)).toBe(true);
    }
  });

  it("is party info", () => {
    for (const { encoded, decoded } of tessera.partyInfo) {
      const info = decodePartyInfo(hexToBytes(encoded));
      const recipients = info.recipients.map(({ key, url }) => ({ key: toBase64(key), url }));
      expect({ ...info, recipients }).toEqual(decoded);
      expect(toHex(encodePartyInfo(info))).toBe(encoded);
    }
  });

  it("is a privacy group", () => {
    const { encoded, privacyGroupId } = tessera.privacyGroupPush;
    const group = decodeGroup(hexToBytes(encoded));
    expect(toHex(encodeGroup(group))).toBe(encoded);
    expect(toBase64(groupIdOf(group))).toBe(privacyGroupId);
  });
});

describe("key files", () => {
  it("are opened, locked or not", async () => {
    for (const { json, password, decryptedPrivateKey } of tessera.keyFiles) {
      const { privateKey } = await openKeyFile(JSON.stringify(json), sodium, async () => password);
      expect(toBase64(privateKey)).toBe(decryptedPrivateKey ?? json.data.bytes);
    }
  });

  it("have the public keys that belong to them", () => {
    for (const { publicKey, privateKey } of tessera.keyPairs) {
      expect(toBase64(sodium.crypto_scalarmult_base(bytesOf(privateKey)))).toBe(publicKey);
    }
  });
});

describe("a payload", () => {
  it("is sealed, hashed and encoded to the last byte", () => {
    const vector = tessera.endToEnd;
    const keyOf = (publicKey: string): KeyPair => {
      const found = tessera.keyPairs.find(
        (pair: { publicKey: string }) => pair.publicKey === publicKey,
      );
      return { publicKey: bytesOf(publicKey), privateKey: bytesOf(found.privateKey) };
    };
    const given = [vector.masterKey, vector.cipherTextNonce, vector.recipientNonce].map(hexToBytes);
    const sealer = new Sealer(sodium, () => given.shift() ?? new Uint8Array());
    const sender = keyOf(vector.sender);
    const recipient = keyOf(vector.recipient);
    const plaintext = new TextEncoder().encode(vector.plaintextBytesUtf8);
    const sealed = sealer.seal(plaintext, {
      sender,
      recipients: [recipient.publicKey, sender.publicKey],
      privacyGroupId: bytesOf(vector.privacyGroupId),
    });
    const pushed = forRecipient(sealed, recipient.publicKey);
    if (pushed === undefined) throw new Error("the recipient has no box");

    expect(sealed.recipientBoxes.map(toHex)).toEqual([vector.boxForRecipient, vector.boxForSender]);
    expect(toBase64(hashOf(sealed))).toBe(vector.enclaveKeyBase64);
    expect(toHex(encodeLegacy(sealed))).toBe(vector.legacyEncodedAsStoredBySender);
    expect(toHex(encodeLegacy(pushed))).toBe(vector.legacyEncodedAsPushedToRecipient);
    expect(toHex(encodeCborPayload(pushed))).toBe(vector.cborEncodedAsPushedToRecipient);
    const [box] = pushed.recipientBoxes;
    expect(box && sealer.open(pushed, box, { own: recipient })).toEqual(plaintext);
  });
});

describe("a recorded network of Besu and Tessera", () => {
  const cases = (name: string, path: string) =>
    read(`privacy-live/${name}`).cases.filter((item: { path: string }) => item.path === path);

  it("pushed payloads that open, and encode to the same bytes", () => {
    const keys = read("privacy-live/keys.json").manager;
    const stored = new Map(
      read("privacy-live/payloads.json").cases.map((item: { enclaveKey: string; rlp: string }) => [
        item.enclaveKey,
        item.rlp,
      ]),
    );
    const sealer = new Sealer(sodium);
    const pushes = cases("tessera-p2p.json", "/push");
    expect(pushes).toHaveLength(62);
    let opened = 0;
    for (const { request, response, versions, toManager } of pushes) {
      const bytes = bytesOf(request);
      const isCbor = (bytes[0] ?? 0) >> 5 === 5;
      expect(isCbor).toBe(versions.includes("5.0") && toManager !== 4);
      const payload = isCbor ? decodeCborPayload(bytes) : decodeLegacy(bytes);
      expect(isCbor ? encodeCborPayload(payload) : encodeLegacy(payload)).toEqual(bytes);
      const hash = toBase64(hashOf(payload));
      expect(new TextDecoder().decode(bytesOf(response))).toBe(hash);
      const { publicKey, privateKey } = keys.find(
        ({ node }: { node: number }) => node === toManager,
      );
      const own = { publicKey: bytesOf(publicKey), privateKey: bytesOf(privateKey) };
      const [box] = payload.recipientBoxes;
      const plain = box && sealer.open(payload, box, { own });
      const rlp = bytesOf(new TextDecoder().decode(plain));
      const known = stored.get(hash);
      // What a manager pushed before another rejected it was never stored by the sender.
      if (known === undefined) continue;
      expect(toHex(rlp)).toBe(known);
      opened += 1;
    }
    expect(opened).toBeGreaterThan(50);
  });

  it("pushed groups, and announced the members", () => {
    const groups = cases("tessera-p2p.json", "/pushPrivacyGroup");
    expect(groups).toHaveLength(15);
    for (const { request } of groups) {
      expect(toBase64(encodeGroup(decodeGroup(bytesOf(request))))).toBe(request);
    }
    const parties = cases("tessera-p2p.json", "/partyinfo");
    expect(parties.length).toBeGreaterThan(20);
    for (const { request, response, status } of parties) {
      expect(toBase64(encodePartyInfo(decodePartyInfo(bytesOf(request))))).toBe(request);
      if (status !== 200) continue;
      expect(toBase64(encodePartyInfo(decodePartyInfo(bytesOf(response))))).toBe(response);
    }
  });
});
