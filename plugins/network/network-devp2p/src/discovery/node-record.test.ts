import { decodeRlp, encodeRlp, loadCrypto, toHex } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { describe, expect, it } from "vitest";
import { createRecord, findEndpoint, formatRecord, readRecord } from "./node-record.js";

const crypto = await loadCrypto();
// EIP-778, test vectors: the key, and the record with ip 127.0.0.1, udp 30303, seq 1.
const PRIVATE_KEY = Buffer.from(
  "b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291",
  "hex",
);
const RECORD =
  "enr:-IS4QHCYrYZbAKWCBRlAy5zzaDZXJBGkcnh4MHcBFZntXNFrdvJjX04jRzjzCBOonrkTfj499SZuOh8R33Ls8RRcy5wBgmlkgnY0gmlwhH8AAAGJc2VjcDI1NmsxoQPKY0yuDUmstAHYpMa2_oxVtw0RW_QAdpzBQA8yWM0xOIN1ZHCCdl8";
const publicKey = crypto.publicKeyOf(PRIVATE_KEY);
const nodeKey: NodeKey = {
  publicKey,
  address: crypto.addressOf(publicKey),
  sign: async (hash) => crypto.sign(Buffer.from(hash.slice(2), "hex"), PRIVATE_KEY),
  agree: async (other) => crypto.agree(PRIVATE_KEY, other),
};

describe("a node record", () => {
  it("of EIP-778 is decoded and verified", () => {
    const rlp = decodeRlp(Buffer.from(RECORD.slice(4), "base64url"));

    const record = readRecord(rlp, publicKey);

    expect(record.seq).toBe(1n);
    expect(findEndpoint(record)).toEqual({ ip: "127.0.0.1", udp: 30303, tcp: 0 });
    expect(formatRecord(record)).toBe(RECORD);
  });

  it("of this node is decoded by others", async () => {
    const endpoint = { ip: "127.0.0.1", udp: 30303, tcp: 30304 };

    const { rlp } = await createRecord(nodeKey, { seq: 77n, endpoint });

    const record = readRecord(decodeRlp(encodeRlp(rlp)), publicKey);
    expect(record.seq).toBe(77n);
    expect(findEndpoint(record)).toEqual(endpoint);
    expect([...record.pairs.keys()]).toEqual(["id", "ip", "secp256k1", "tcp", "udp"]);
    expect(toHex(record.pairs.get("secp256k1") as Uint8Array)).toMatch(/^0x0[23]/);
  });

  it.each([
    ["another key", (rlp: Uint8Array[]) => rlp, crypto.publicKeyOf(new Uint8Array(32).fill(9))],
    [
      "a changed port",
      ([...rlp]: Uint8Array[]) => [...rlp.slice(0, -1), Uint8Array.of(1, 1)],
      publicKey,
    ],
    ["keys out of order", ([a, b, c, d, e, f]: Uint8Array[]) => [a, b, e, f, c, d], publicKey],
    ["half a pair", (rlp: Uint8Array[]) => rlp.slice(0, -1), publicKey],
    ["no signature", (rlp: Uint8Array[]) => rlp.slice(1), publicKey],
    [
      "more than 300 bytes",
      (rlp: Uint8Array[]) => [...rlp, Buffer.from("z"), new Uint8Array(300)],
      publicKey,
    ],
  ])("with %s is rejected", async (_, change, key) => {
    const endpoint = { ip: "127.0.0.1", udp: 30303, tcp: 30304 };
    const { rlp } = await createRecord(nodeKey, { seq: 1n, endpoint });

    const changed = change(rlp as Uint8Array[]).map((item) => item ?? new Uint8Array());

    expect(() => readRecord(changed, key)).toThrow();
  });
});
