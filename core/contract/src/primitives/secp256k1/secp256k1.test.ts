import { describe, expect, it } from "vitest";
import { parseHex, toHex } from "../hex.js";
import { loadSecp256k1 } from "./load-secp256k1.js";

/** The installed back ends; tests of the others are reported as skipped. */
const installed = {
  native: await loadSecp256k1("native").catch(() => undefined),
  wasm: await loadSecp256k1("wasm"),
};

/** The x coordinate of its public key starts with a zero byte. */
const SHORT_X_KEY = `0x${"00".repeat(31)}99`;
const ORDER = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

describe.each(["native", "wasm"] as const)("secp256k1, %s", (backend) => {
  const secp256k1 = installed[backend] ?? installed.wasm;

  describe.skipIf(installed[backend] === undefined)("the curve", () => {
    it("is computed by the requested back end", () => {
      expect(secp256k1.backend).toBe(backend);
    });

    // go-ethereum, crypto/ecies/ecies_test.go, TestSharedKeyPadding
    it.each([
      [
        "0x1adf5c18167d96a1f9a0b1ef63be8aa27eaf6032c233b2b38f7850cf5b859fd9",
        "0x1a8ed022ff7aec59dc1b440446bdda5ff6bcb3509a8b109077282b361efffbd8e040bd480b1deccc3bc40bd5b1fdcb7bfd352500b477cb9471366dbd4493f923",
      ],
      [
        "0x0097a076fc7fcd9208240668e31c9abee952cbb6e375d1b8febc7499d6e16f1a",
        "0x6ab3ac374251f638d0abb3ef596d1dc67955b507c104e5f2009724812dc027b88ad915f2b503a8be6facab6588731fefeb584fd2dfa9a77a5e0bba1ec439e4fa",
      ],
    ])("derives the public key of %s", (privateKey, publicKey) => {
      expect(toHex(secp256k1.publicKeyOf(bytes(privateKey)))).toBe(publicKey);
    });

    it.each([
      {
        origin: "EIP-155, the example",
        privateKey: `0x${"46".repeat(32)}`,
        hash: "0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53",
        r: "0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276",
        s: "0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
        recovery: 0,
      },
      {
        origin: "RFC 6979 for secp256k1, SHA-256 of 'Satoshi Nakamoto'",
        privateKey: `0x${"00".repeat(31)}01`,
        hash: "0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",
        r: "0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8",
        s: "0x2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5",
        recovery: 1,
      },
    ])("signs as in $origin, and recovers the key", ({ privateKey, hash, r, s, recovery }) => {
      const signature = secp256k1.sign(bytes(hash), bytes(privateKey));

      expect(toHex(signature.r)).toBe(r);
      expect(toHex(signature.s)).toBe(s);
      expect(signature.recovery).toBe(recovery);
      expect(secp256k1.recover(bytes(hash), signature)).toEqual(
        secp256k1.publicKeyOf(bytes(privateKey)),
      );
    });

    it("recovers the key of a signature with a high s", () => {
      const hash = new Uint8Array(32).fill(7);
      const key = new Uint8Array(32).fill(8);
      const { r, s, recovery } = secp256k1.sign(hash, key);

      const highS = bytes(`0x${(BigInt(ORDER) - BigInt(toHex(s))).toString(16).padStart(64, "0")}`);
      const flipped = { r, s: highS, recovery: recovery === 0 ? 1 : 0 } as const;

      expect(secp256k1.recover(hash, flipped)).toEqual(secp256k1.publicKeyOf(key));
    });

    it.each([
      ["an r of zero", { r: `0x${"00".repeat(32)}` }],
      ["an s of zero", { s: `0x${"00".repeat(32)}` }],
      ["an r at the order", { r: ORDER }],
      ["an s at the order", { s: ORDER }],
      ["an r of 31 bytes", { r: `0x${"01".repeat(31)}` }],
      ["an s of 33 bytes", { s: `0x${"01".repeat(33)}` }],
      ["an r that is no x coordinate", { r: `0x${"00".repeat(31)}05` }],
      ["a hash of 31 bytes", { hash: `0x${"01".repeat(31)}` }],
    ])("refuses to recover from %s", (_, changes) => {
      const valid = `0x${"01".repeat(32)}`;
      const { hash, r, s } = { hash: valid, r: valid, s: valid, ...changes };
      const signature = { r: bytes(r), s: bytes(s), recovery: 0 } as const;

      expect(() => secp256k1.recover(bytes(hash), signature)).toThrow(RangeError);
    });

    // go-ethereum, crypto/ecies/ecies_test.go, TestSharedKeyStatic
    it("agrees on the same secret from either side", () => {
      const [ours, theirs] = [
        bytes("0x7ebbc6a8358bc76dd73ebc557056702c8cfc34e5cfcd90eb83af0347575fd2ad"),
        bytes("0x6a3d6396903245bba5837752b9e0348874e72db0c4e11e9c485a81b4ea4353b9"),
      ];
      const secret = "0x167ccc13ac5e8a26b131c3446030c60fbfac6aa8e31149d0869f93626a4cdf62";

      expect(toHex(secp256k1.agree(ours, secp256k1.publicKeyOf(theirs)))).toBe(secret);
      expect(toHex(secp256k1.agree(theirs, secp256k1.publicKeyOf(ours)))).toBe(secret);
    });

    it("keeps the leading zeros of a secret", () => {
      const one = bytes(`0x${"00".repeat(31)}01`);
      const shortX = secp256k1.publicKeyOf(bytes(SHORT_X_KEY));

      const secret = secp256k1.agree(one, shortX);

      expect(secret).toEqual(shortX.slice(0, 32));
      expect(secret[0]).toBe(0);
    });

    it.each([
      ["one", `0x${"00".repeat(31)}01`, true],
      ["one below the order", `${ORDER.slice(0, -1)}0`, true],
      ["zero", `0x${"00".repeat(32)}`, false],
      ["the order", ORDER, false],
      ["31 bytes", `0x${"01".repeat(31)}`, false],
      ["33 bytes", `0x${"01".repeat(33)}`, false],
    ])("determines whether %s is a private key", (_, key, answer) => {
      expect(secp256k1.isPrivateKey(bytes(key))).toBe(answer);
    });

    it.each([
      ["zero", `0x${"00".repeat(32)}`],
      ["the order", ORDER],
      ["31 bytes", `0x${"01".repeat(31)}`],
    ])("rejects %s as a private key, without repeating it", (_, key) => {
      const valid = bytes(`0x${"01".repeat(32)}`);
      const refused = bytes(key);

      for (const use of [
        () => secp256k1.publicKeyOf(refused),
        () => secp256k1.sign(valid, refused),
        () => secp256k1.agree(refused, secp256k1.publicKeyOf(valid)),
      ]) {
        expect(use).toThrow(RangeError);
        expect(use).not.toThrow(key.slice(2));
      }
    });

    it("refuses to sign anything but 32 bytes", () => {
      const privateKey = bytes(`0x${"01".repeat(32)}`);

      expect(() => secp256k1.sign(new Uint8Array(31), privateKey)).toThrow(RangeError);
    });

    it.each([
      ["a point that is not on the curve", `0x${"00".repeat(63)}01`],
      ["a public key with its format byte", `0x04${"01".repeat(64)}`],
    ])("refuses to agree with %s", (_, publicKey) => {
      const privateKey = bytes(`0x${"01".repeat(32)}`);

      expect(() => secp256k1.agree(privateKey, bytes(publicKey))).toThrow(RangeError);
    });

    it("does not modify its arguments", () => {
      const key = bytes(`0x${"11".repeat(32)}`);
      const hash = bytes(`0x${"22".repeat(32)}`);

      secp256k1.sign(hash, key);
      secp256k1.agree(key, secp256k1.publicKeyOf(key));

      expect(key).toEqual(bytes(`0x${"11".repeat(32)}`));
      expect(hash).toEqual(bytes(`0x${"22".repeat(32)}`));
    });
  });
});

describe.skipIf(installed.native === undefined)("the two back ends", () => {
  it("produce the same keys, signatures, recovered keys and secrets", () => {
    const native = installed.native ?? expect.fail("skipped without it");

    for (let seed = 1; seed <= 20; seed++) {
      const key = new Uint8Array(32).fill(seed);
      const hash = new Uint8Array(32).fill(0xff - seed);
      const other = installed.wasm.publicKeyOf(hash);

      expect(native.publicKeyOf(key)).toEqual(installed.wasm.publicKeyOf(key));
      const signature = native.sign(hash, key);
      expect(signature).toEqual(installed.wasm.sign(hash, key));
      expect(native.recover(hash, signature)).toEqual(installed.wasm.recover(hash, signature));
      expect(native.agree(key, other)).toEqual(installed.wasm.agree(key, other));
    }
  });
});

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
