import { describe, expect, it } from "vitest";
import { formatAmount, TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE, transfersIn } from "./tokens.js";
import type { Log } from "./types.js";

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");
const topic = (value: bigint | number) => `0x${word(value)}`;
const address = (value: number) => `0x${value.toString(16).padStart(40, "0")}`;
const TOKEN = address(0xabc);

describe("transfers in logs", () => {
  it("of ERC-20 have an amount", () => {
    const [transfer] = transfersIn([log([TRANSFER, topic(1), topic(2)], topic(1500))]);
    const token = { address: TOKEN, kind: "ERC-20", name: "", symbol: "", decimals: 3 } as const;

    expect(transfer).toMatchObject({
      kind: "ERC-20",
      from: address(1),
      to: address(2),
      amount: 1500n,
    });
    expect(transfer && formatAmount(transfer, token)).toBe("1.5");
  });

  it("of ERC-721 have an id", () => {
    const [transfer] = transfersIn([log([TRANSFER, topic(1), topic(2), topic(7)], "0x")]);

    expect(transfer).toMatchObject({ kind: "ERC-721", id: 7n, amount: 1n });
    expect(transfer && formatAmount(transfer, undefined)).toBe("#7");
  });

  it("of ERC-1155 have an id and an amount each, also in a batch", () => {
    const parties = [topic(9), topic(1), topic(2)];
    const single = log([TRANSFER_SINGLE, ...parties], `0x${word(5)}${word(10)}`);
    const lists = [64, 160, 2, 5, 6, 2, 10, 20].map(word).join("");
    const batch = log([TRANSFER_BATCH, ...parties], `0x${lists}`);

    const found = transfersIn([single, batch]);

    expect(found.map(({ id, amount }) => [id, amount])).toEqual([
      [5n, 10n],
      [5n, 10n],
      [6n, 20n],
    ]);
    expect(found[0]).toMatchObject({ kind: "ERC-1155", from: address(1), to: address(2) });
    expect(found[0] && formatAmount(found[0], undefined)).toBe("10 of #5");
  });

  it("of ERC-1155 are omitted where the lists are too long to be decoded, instead of having no amount", () => {
    const count = 1500;
    const list = (value: number) => word(count) + word(value).repeat(count);
    const data = `0x${word(64)}${word(64 + 32 * (count + 1))}${list(5)}${list(10)}`;

    const found = transfersIn([log([TRANSFER_BATCH, topic(9), topic(1), topic(2)], data)]);

    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ id, amount }) => `${id} ${amount}`))).toEqual(new Set(["5 10"]));
  });

  it.each([
    ["another event", log([topic(1), topic(2), topic(3)], "0x")],
    ["no topics", log([], "0x")],
    ["too few topics", log([TRANSFER, topic(1)], "0x")],
    ["lists that do not fit", log([TRANSFER_BATCH, topic(1), topic(2), topic(3)], topic(64))],
  ])("do not include %s", (_, each) => {
    expect(transfersIn([each])).toEqual([]);
  });
});

function log(topics: readonly string[], data: string): Log {
  return {
    address: TOKEN,
    topics,
    data,
    blockNumber: "0x1",
    transactionHash: "0x",
    logIndex: "0x0",
  };
}
