import { loadCrypto, toHex } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { hashTypedData, type TypedData } from "./typed-data.js";

beforeAll(async () => {
  await loadCrypto();
});

/** The example of EIP-712 with its hash. */
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

/** One value of a type, in a struct. */
function hashOf(type: string, value: unknown) {
  const types = { One: [{ name: "value", type }], Inner: [{ name: "n", type: "uint8" }] };
  return hash({ types, primaryType: "One", message: { value } });
}

describe("the hash of typed data", () => {
  it("matches the EIP", () => {
    expect(hash()).toBe(MAIL_HASH);
  });

  it("derives the type of the domain from its members if it is omitted", () => {
    const { EIP712Domain: _, ...types } = MAIL.types;

    expect(hash({ types })).toBe(MAIL_HASH);
  });

  it.each([
    ["uint256", 31, "0x1f"],
    ["int8", -1, "-1"],
    ["bool", true, "true"],
    ["uint256[]", [1, 2], ["0x1", "2"]],
  ])("of a %s does not depend on its notation", (type, value, other) => {
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
    ["uint1000000000", 1],
    ["uint0", 0],
    ["bytes33", `0x${"ab".repeat(33)}`],
  ])("of a %s is rejected for %j", (type, value) => {
    expect(() => hashOf(type, value)).toThrow(/message\.value/);
  });

  it("of lists nested 5,000 deep is rejected", () => {
    const type = `uint8${"[]".repeat(5000)}`;

    expect(() => hashOf(type, nested(5000))).toThrow(/at most 64 levels/);
  });

  it("of types that refer to each other in a long chain is computed", () => {
    const count = 20_000;
    const chain = Array.from({ length: count }, (_, index) => [
      `T${index}`,
      [{ name: "next", type: `T${index + 1}` }],
    ]);
    const types = { ...Object.fromEntries(chain), [`T${count}`]: [{ name: "n", type: "uint8" }] };

    expect(hash({ types, primaryType: "T0", message: {} })).toMatch(/^0x/);
  });

  it.each<[string, Partial<TypedData>]>([
    [
      "many empty structs of many members",
      {
        types: {
          All: [{ name: "all", type: "Wide[]" }],
          Wide: Array.from({ length: 1000 }, (_, n) => ({ name: `m${n}`, type: "Wide" })),
        },
        message: { all: Array.from({ length: 100_000 }, () => ({})) },
      },
    ],
    [
      "many structs of types that reference all others",
      {
        types: {
          All: Array.from({ length: 3000 }, (_, n) => ({ name: `m${n}`, type: `T${n}` })),
          ...Object.fromEntries(
            Array.from({ length: 3000 }, (_, n) => [
              `T${n}`,
              [{ name: "next", type: `T${(n + 1) % 3000}` }],
            ]),
          ),
        },
        message: Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`m${n}`, {}])),
      },
    ],
  ])("is rejected for %s, which would take hours", (_, data) => {
    expect(() => hash({ ...data, primaryType: "All" })).toThrow(/at most 100000 values/);
  });

  it("takes no longer for a type with many brackets", () => {
    const type = `${"[1]".repeat(100_000)}x`;
    const types = { One: [{ name: "value", type }] };

    expect(() => hash({ types, primaryType: "One", message: { value: 1 } })).toThrow(/message/);
  });
});

/** A nested list. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
