import { COMPATIBILITIES, type LogPieces, type PlacedLog } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { logsAnswer } from "./logs-answer.js";

describe("the answer to a search", () => {
  it("is there at once when the search is over with the first piece", async () => {
    expect(await logsAnswer(piecesOf([log(1), log(2)]), COMPATIBILITIES.plinth)).toMatchObject([
      { logIndex: "0x1" },
      { logIndex: "0x2" },
    ]);
  });

  it.each([
    [[[], []], []],
    [[[log(1)], []], ["0x1"]],
    [[[], [log(1)]], ["0x1"]],
    [
      [[log(1)], [], [log(2), log(3)]],
      ["0x1", "0x2", "0x3"],
    ],
  ])("is written piece by piece otherwise", async (pieces, expected) => {
    const answer = await logsAnswer(piecesOf(...pieces), COMPATIBILITIES.plinth);

    const texts: string[] = [];
    if ("chunks" in answer) for await (const text of answer.chunks) texts.push(String(text));
    const logs: { logIndex: string }[] = JSON.parse(texts.join(""));
    expect(logs.map(({ logIndex }) => logIndex)).toEqual(expected);
  });
});

async function* piecesOf(...pieces: readonly (readonly PlacedLog[])[]): LogPieces {
  yield* pieces.slice(0, -1);
  return pieces.at(-1) ?? [];
}

function log(logIndex: number): PlacedLog {
  return {
    log: { address: "0x02", topics: [], data: new Uint8Array() },
    header: { hash: "0x01", number: 1n, timestamp: 1n },
    transactionHash: "0x03",
    transactionIndex: 0,
    logIndex,
    isRemoved: false,
  };
}
