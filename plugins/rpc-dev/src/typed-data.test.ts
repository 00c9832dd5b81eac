import { loadCrypto, toHex } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { hashTypedData, type TypedData } from "./typed-data.js";

beforeAll(async () => {
  await loadCrypto();
});

/** The example of EIP-712, with the hash that the EIP gives. */
const MAIL: TypedData = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  primaryType: "Mail",
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  message: {
    from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
    to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
    contents: "Hello, Bob!",
  },
};
const MAIL_HASH = "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2";

function hash(changes: Partial<TypedData> = {}) {
  return toHex(hashTypedData({ ...MAIL, ...changes }));
}

/** One value of a type, in a struct of its own. */
function hashOf(type: string, value: unknown) {
  const types = { One: [{ name: "value", type }], Inner: [{ name: "n", type: "uint8" }] };
  return hash({ types, primaryType: "One", message: { value } });
}

describe("the hash of typed data", () => {
  it("is that of the EIP", () => {
    expect(hash()).toBe(MAIL_HASH);
  });

  it("takes the type of the domain from its members when it is left out", () => {
    const { EIP712Domain: _, ...types } = MAIL.types;

    expect(hash({ types })).toBe(MAIL_HASH);
  });

  it.each([
    ["uint256", 31, "0x1f"],
    ["int8", -1, "-1"],
    ["bool", true, "true"],
    ["uint256[]", [1, 2], ["0x1", "2"]],
  ])("of a %s does not depend on how it is written", (type, value, other) => {
    expect(hashOf(type, value)).toBe(hashOf(type, other));
  });

  it.each([
    ["uint8", 256],
    ["uint8", -1],
    ["int8", 128],
    ["bytes4", "0x0102"],
    ["bytes", "0x1"],
    ["bool", 1],
    ["address", "0x1"],
    ["uint8[2]", [1]],
    ["uint8[]", 1],
    ["string", 7],
    ["Inner", { n: 300 }],
    ["Missing", {}],
  ])("of a %s is refused for %j", (type, value) => {
    expect(() => hashOf(type, value)).toThrow(/message\.value/);
  });
});
