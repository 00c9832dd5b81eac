import type { Address, Block } from "@plinth/core";
import { describe, expect, it } from "vitest";
import type { RoundChange } from "../messages/messages.js";
import { chooseReasons } from "./choose-reasons.js";

const block = {} as Block;
const plain = (author: Address) => ({ author, block: undefined }) as RoundChange;
const prepared = (author: Address, preparedRound: number) =>
  ({ author, preparedRound, block }) as RoundChange;
/** Blocks of round 1 are rejected by some validators. */
const isAccepted = ({ preparedRound }: RoundChange) => preparedRound !== 1;
const choose = (...roundChanges: readonly RoundChange[]) =>
  chooseReasons({ roundChanges, quorum: 3, isAccepted })?.map(({ author }) => author);

describe("the round changes that justify a proposal", () => {
  it("are the first that arrived", () => {
    expect(choose(plain("0xa"), prepared("0xb", 2), plain("0xc"), plain("0xd"))).toEqual([
      "0xa",
      "0xb",
      "0xc",
    ]);
  });

  it("exclude a block that some validators would reject", () => {
    expect(choose(plain("0xa"), prepared("0xb", 1), plain("0xc"), prepared("0xd", 0))).toEqual([
      "0xa",
      "0xc",
      "0xd",
    ]);
  });

  it("may include one of an earlier round, which is not proposed again", () => {
    expect(choose(prepared("0xa", 1), prepared("0xb", 2), plain("0xc"))).toEqual([
      "0xa",
      "0xb",
      "0xc",
    ]);
  });

  it("are undefined while too few are without it", () => {
    expect(choose(prepared("0xa", 1), plain("0xb"), plain("0xc"))).toBeUndefined();
    expect(
      choose(prepared("0xa", 1), prepared("0xb", 1), plain("0xc"), plain("0xd")),
    ).toBeUndefined();
  });
});
