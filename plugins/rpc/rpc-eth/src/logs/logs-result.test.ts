import { COMPATIBILITIES, JsonPieces, RawResult, StreamResult } from "@plinth/core/rpc";
import { EncodedLog, type FoundLog, type LogPieces } from "@plinth/kit-rpc";
import { describe, expect, it } from "vitest";
import { logsResult } from "./logs-result.js";

const READER = {
  compatibility: COMPATIBILITIES.plinth,
  signal: new AbortController().signal,
};

describe("the result of a search", () => {
  it("is returned at once if the search ends with the first piece", async () => {
    const result = await logsResult(piecesOf([log(1), log(2)]), READER);

    expect(result).toBeInstanceOf(JsonPieces);
    expect(await readLogs(result)).toMatchObject([{ logIndex: "0x1" }, { logIndex: "0x2" }]);
  });

  it("does not keep receipts that are longer than it", async () => {
    const result = await logsResult(piecesOf([log(1, 100_000)]), READER);

    expect(result).toBeInstanceOf(RawResult);
    expect(await readLogs(result)).toMatchObject([{ logIndex: "0x1" }]);
  });

  it("is an empty list if nothing is found", async () => {
    expect(await logsResult(piecesOf([]), READER)).toEqual(new RawResult("[]"));
  });

  it.each([
    [[[], []], []],
    [[[log(1)], []], ["0x1"]],
    [[[], [log(1)]], ["0x1"]],
    [
      [[log(1)], [], [log(2), log(3)]],
      ["0x1", "0x2", "0x3"],
    ],
  ])("is streamed piece by piece otherwise", async (pieces, expected) => {
    const result = await logsResult(piecesOf(...pieces), READER);

    expect(result).toBeInstanceOf(StreamResult);
    expect(await readLogs(result)).toMatchObject(expected.map((logIndex) => ({ logIndex })));
  });
});

describe("a search whose caller has left", () => {
  it("ends, although it has found nothing to write", async () => {
    const caller = new AbortController();
    let searched = 0;
    const endless = (async function* () {
      for (;;) {
        searched += 1;
        if (searched === 10) caller.abort();
        yield [];
      }
    })();
    const result = await logsResult(endless, { ...READER, signal: caller.signal });

    const reading = (async () => {
      if ("chunks" in result) for await (const _ of result.chunks);
    })();

    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(searched).toBe(10);
  });
});

type LogsResult = Awaited<ReturnType<typeof logsResult>>;

async function readLogs(result: LogsResult): Promise<unknown> {
  if (result instanceof RawResult) return JSON.parse(Buffer.from(result.json).toString());
  if (result instanceof JsonPieces) return JSON.parse(Buffer.from(result.join()).toString());
  const chunks: Buffer[] = [];
  for await (const chunk of result.chunks) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function* piecesOf(...pieces: readonly (readonly FoundLog[])[]): LogPieces {
  yield* pieces.slice(0, -1);
  return pieces.at(-1) ?? [];
}

/** A log without topics and data, in receipts of this length. */
function log(logIndex: number, length = 20): FoundLog {
  const bytes = new Uint8Array(length);
  const place = { bytes, addressAt: 0, topicsAt: 0, topicCount: 0, dataAt: 0, dataEnd: 0 };
  return {
    log: new EncodedLog({ ...place, transactionIndex: 0, logIndex }),
    header: { hash: "0x01", number: 1n, timestamp: 1n },
    transactionHash: "0x03",
    transactionIndex: 0,
    logIndex,
    isRemoved: false,
  };
}
