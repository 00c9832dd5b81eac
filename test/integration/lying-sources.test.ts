import { encodeBlock, hexToBytes, keccakHeader, loadCrypto, toHex } from "@plinth/core";
import { decodeBlock, encodeReceipts } from "@plinth/core/blocks";
import { hashOfRecord } from "@plinth/plugin-changes/api";
import { FakeClock, transfer } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Lie, startLiar } from "../support/lying-source.js";
import { startReplica, startSource } from "../support/replica.js";

const ZERO = `0x${"00".repeat(32)}`;
const HEADER = { "x-plinth-last-sequence": "0x2" };

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON
type Line = any;

/** In the order in which one replica gets them: the last one delivers a block before it is rejected. */
const CASES: readonly (readonly [name: string, problem: string, lie: Lie])[] = [
  [
    "a balance that is another",
    "record 1: block 1 (",
    changeFirst((line) => {
      line.state.accounts[0].balance = "0x1";
    }),
  ],
  ["an account too few", "state-root is ", changeFirst((line) => line.state.accounts.pop())],
  [
    "an account twice",
    "occurs twice",
    changeFirst((line) => line.state.accounts.push(line.state.accounts[0])),
  ],
  ["receipts of another block", "0 receipts for 2 transactions", changeFirst(withoutReceipts)],
  [
    "a block that is not that of its record",
    "record 1: it is of the block 1 (",
    changeFirst((line) => {
      line.block = changeBlock(line.block, (header) => ({
        ...header,
        timestamp: header.timestamp + 1n,
      }));
    }),
  ],
  [
    "a block whose header was made up, with a record for it",
    "state-root is ",
    {
      records: (lines) => {
        const [line] = lines;
        line.block = changeBlock(line.block, (header) => ({ ...header, stateRoot: ZERO }));
        line.blockHash = hashIn(line.block);
        return [rehash(line)];
      },
    },
  ],
  ["a gap", "expected the record 1 of the stream, got 2", { records: (lines) => lines.slice(1) }],
  [
    "a record of another hash",
    "the record 1 of the stream has the hash ",
    changeFirst((line) => {
      line.hash = ZERO;
    }),
  ],
  [
    "a record of another stream",
    "the record 1 of the stream follows 0x0000",
    changeFirst((line) => Object.assign(line, rehash({ ...line, previous: ZERO }))),
  ],
  [
    "the removal of a block that is not its head",
    "it removes the block 7 (",
    {
      records: ([line]) => [rehash({ ...line, kind: "removed", number: "0x7", block: undefined })],
    },
  ],
  ["no records, although it has some", "it does not send the record 1", { records: () => [] }],
  [
    "a record that does not end",
    "a record has more than 1000000 bytes",
    {
      respond: (response) => {
        response.writeHead(200, HEADER);
        const piece = `{"a":"${"a".repeat(65_536)}`;
        const write = () => {
          while (response.writable && response.write(piece));
        };
        response.on("drain", write);
        write();
      },
    },
  ],
  [
    "JSON that takes long to parse",
    "JSON has too many lists and objects for its length",
    {
      respond: (response) => {
        response.writeHead(200, HEADER);
        response.end(`[${"[],".repeat(100_000)}[]]\n`);
      },
    },
  ],
  [
    "what is not JSON",
    "what it sent is not JSON that can be read",
    {
      respond: (response) => {
        response.writeHead(200, HEADER);
        response.end("<html>\n");
      },
    },
  ],
  [
    "a redirection",
    "HTTP 302: ",
    { respond: (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end() },
  ],
  [
    "a response without its last record",
    "a response of its stream has no valid header: x-plinth-last-sequence",
    { respond: (response) => response.writeHead(200).end() },
  ],
  [
    "an error after the first record",
    "record 1: the state is gone",
    { records: () => [{ error: { code: 4444, message: "the state is gone" } }] },
  ],
  [
    "a stream that begins later",
    "the records that it keeps begin after block 7, and the head of this replica is block 0: restore a newer snapshot",
    { description: (json) => ({ ...json, number: "0x7", hash: ZERO }) },
  ],
  [
    "a stream of another chain",
    "its stream has no block in common with the chain of this replica",
    {
      description: (json) => ({ ...json, hash: ZERO, firstSequence: "0x1", lastSequence: "0x0" }),
    },
  ],
  [
    "a response that stops",
    "no byte for 1000 ms",
    {
      respond: (response) => {
        response.writeHead(200, HEADER);
        response.write("{");
      },
    },
  ],
  [
    "a response that comes byte by byte",
    "bytes in",
    {
      respond: (response) => {
        response.writeHead(200, HEADER);
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
      },
    },
  ],
  [
    "an old record",
    "expected the record 2 of the stream, got 1",
    { records: (lines) => [lines[0], lines[0]] },
  ],
];

/** These take as long as the limits, so each has another replica meanwhile. */
const SLOW = ["a response that stops", "a response that comes byte by byte"];

describe("a replica rejects by name, and follows the next source:", () => {
  let source: Awaited<ReturnType<typeof startSource>>;
  let liars: readonly Awaited<ReturnType<typeof startLiar>>[] = [];
  let replicas: readonly Awaited<ReturnType<typeof startReplica>>[] = [];

  beforeAll(async () => {
    await loadCrypto();
    source = await startSource();
    await source.mine([transfer(), transfer()], []);
    liars = await Promise.all(CASES.map(([, , lie]) => startLiar(source.address(), lie)));
    const fast = liars.filter((_, index) => !isSlow(index));
    const groups = [fast, ...liars.filter((_, index) => isSlow(index)).map((liar) => [liar])];
    replicas = await Promise.all(
      groups.map((group) =>
        startReplica(
          [...group.map(({ address }) => address), source.address()],
          {},
          { limits: LIMITS },
        ),
      ),
    );
  });

  afterAll(async () => {
    for (const each of [...replicas, ...liars, source]) await each?.[Symbol.asyncDispose]();
  });

  it.each(CASES.map(([name, problem], index) => [name, problem, index] as const))(
    "%s",
    async (name, problem, index) => {
      const liar = `${liars[index]?.address}: `;
      const replica = replicas[isSlow(index) ? 1 + SLOW.indexOf(name) : 0];

      const line = await replica?.logged(liar);

      expect(line).toContain(problem);
    },
  );

  it("and has the chain of the one that is true", async () => {
    for (const replica of replicas) {
      await replica.reached(source.head());
      await replica.logged(`Following ${source.address()}.`);

      const problems = [...replica.node.blocks.verifyState()].flatMap((each) => each.problems);
      expect(problems).toEqual([]);
    }
  });
});

it("a replica asks a source that does not wait no more than once a second", async () => {
  const clock = new FakeClock();
  await using source = await startSource();
  await using liar = await startLiar(source.address(), {
    respond: (response) => response.writeHead(200, { "x-plinth-last-sequence": "0x0" }).end(),
  });
  await using _replica = await startReplica([liar.address], {}, { clock });
  const waits = () => liar.requests.filter((path) => path.includes("wait=")).length;
  while (waits() === 0) await liar.requested();

  // A replica that does not pause sends as many meanwhile.
  for (let call = 0; call < 20; call++) await fetch(`${liar.address}/changes/stream`);
  expect(waits()).toBe(1);
  const requested = liar.requested();
  await clock.advance(1000);
  await requested;

  expect(waits()).toBe(2);
});

function isSlow(index: number): boolean {
  return SLOW.includes(CASES[index]?.[0] ?? "");
}

/** A source that says nothing wrong keeps them on a busy machine as well. */
const LIMITS = { maxRecordBytes: 1_000_000, stallMs: 1_000, minBytesPerSecond: 100_000 };

function changeFirst(change: (line: Line) => unknown): Lie {
  return {
    records: (lines) => {
      change(lines[0]);
      return lines;
    },
  };
}

function withoutReceipts(line: Line): void {
  line.receipts = toHex(encodeReceipts([]));
}

type Header = ReturnType<typeof decodeBlock>["header"];

function changeBlock(block: string, change: (header: Header) => object): string {
  const { header, body } = decodeBlock(hexToBytes(block as `0x${string}`));
  return toHex(encodeBlock({ header: change(header) as Header, body }));
}

function hashIn(block: string): string {
  return keccakHeader(decodeBlock(hexToBytes(block as `0x${string}`)).header);
}

function rehash(line: Line): Line {
  const { sequence, number, ...record } = line;
  return {
    ...line,
    hash: hashOfRecord({ ...record, sequence: BigInt(sequence), number: BigInt(number) }),
  };
}
