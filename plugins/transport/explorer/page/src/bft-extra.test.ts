import { encodeRlp } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { fromBytes } from "./abi/bytes.js";
import { readBftExtra } from "./bft-extra.js";

const ADDRESS = Uint8Array.of(...Array.from({ length: 20 }, () => 0xab));
const VANITY = new Uint8Array(32);
const SEAL = new Uint8Array(65);

describe("the extra data of a block", () => {
  it("has the round, validators, seals and the vote of QBFT", () => {
    const vote = [ADDRESS, Uint8Array.of(0xff)];
    const data = encodeRlp([VANITY, [ADDRESS], vote, Uint8Array.of(3), [SEAL, SEAL]]);

    expect(readBftExtra(fromBytes(data))).toEqual({
      validators: [`0x${"ab".repeat(20)}`],
      vote: { recipient: `0x${"ab".repeat(20)}`, isFor: true },
      round: 3,
      seals: 2,
    });
  });

  it("has them for IBFT 2.0, whose round has four bytes", () => {
    const data = encodeRlp([VANITY, [], new Uint8Array(), Uint8Array.of(0, 0, 1, 0), []]);

    expect(readBftExtra(fromBytes(data))).toMatchObject({ vote: undefined, round: 256, seals: 0 });
  });

  it.each(["0x", "0x00", `0x${"00".repeat(97)}`, "0xf8ff", `0x${"c1".repeat(40)}`, "nonsense"])(
    "%s is of another engine",
    (data) => {
      expect(readBftExtra(data)).toBeUndefined();
    },
  );
});
