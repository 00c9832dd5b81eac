import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeRlp, encodeRlp, hexToBytes, loadCrypto, type Rlp, toHex } from "@plinth/core";
import { transfer } from "@plinth/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startReplica, startSource } from "../support/replica.js";

/** Instead of the value of each field. */
const VALUES = [
  ...[undefined, null, true, -1, 1e308, "", "0x", "0x1", "x", [], {}],
  ...[`0x${"f".repeat(64)}`, `0x${"ff".repeat(1000)}`, nestedLists(20_000)],
];
/** Instead of each item of the lists that make up a transaction, a receipt, or what contains them. */
const ITEMS: readonly Rlp[] = [
  ...[0, 1, 20, 33, 256].map((length) => new Uint8Array(length).fill(255)),
  ...[Uint8Array.of(0), [], [[]]],
];

type Path = readonly (string | number)[];
// biome-ignore lint/suspicious/noExplicitAny: JSON, or RLP, at any depth
type Tree = any;
type Change = (line: Tree) => void;

let source: Awaited<ReturnType<typeof startSource>>;
let liars: Awaited<ReturnType<typeof startLiars>>;

beforeAll(async () => {
  await loadCrypto();
  source = await startSource();
  for (let number = 0; number < 40; number++) await source.mine([transfer(), transfer()]);
  const first = await fetch(`${source.address()}/changes?from=1&limit=1&state=true`);
  liars = await startLiars(source.address(), [...changesOf(JSON.parse(await first.text()))]);
});

afterAll(async () => {
  await liars?.[Symbol.asyncDispose]();
  await source?.[Symbol.asyncDispose]();
});

it("a replica survives anything in any field of a record, and follows the source that is true", async () => {
  await using replica = await startReplica([...liars.addresses, source.address()]);

  await replica.reached(source.head());

  expect(liars.asked.size).toBe(liars.addresses.length);
  const problems = new Set(replica.lines().map((line) => line.replace(/^\S+: |[; ].*$/g, "")));
  // Named by the record, or by the stream around it.
  expect([...problems].filter((problem) => !KNOWN.includes(problem))).toEqual([]);
  expect([...replica.node.blocks.verifyState()].flatMap((each) => each.problems)).toEqual([]);
});

/** How problems begin. */
const KNOWN = ["record", "the", "expected", "what", "Following"];

/** Every value in every field, and every item in every list of the body and the receipts. */
function* changesOf(line: Tree): Generator<Change> {
  for (const path of pathsOf(line)) {
    for (const value of VALUES) yield (given) => replaceAt(given, path, value);
  }
  for (const [field, start] of [
    ["block", 1],
    ["receipts", 0],
  ] as const) {
    const tree = decodeRlp(hexToBytes(line[field]));
    for (const path of pathsOf(tree)) {
      if (Number(path[0]) < start) continue;
      for (const item of ITEMS) {
        yield (given) => {
          const changed = decodeRlp(hexToBytes(given[field]));
          replaceAt(changed, path, item);
          given[field] = toHex(encodeRlp(changed));
        };
      }
    }
  }
}

/** The paths to all members; of lists that are longer, to the first. */
function* pathsOf(tree: Tree, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof tree !== "object" || tree === null || tree instanceof Uint8Array) return;
  const isUniform = Array.isArray(tree) && path.at(-1) === "accounts";
  for (const key of isUniform ? [0] : Object.keys(tree)) yield* pathsOf(tree[key], [...path, key]);
}

function replaceAt(tree: Tree, path: Path, value: unknown): void {
  const parent = path.slice(0, -1).reduce((at, key) => at[key], tree);
  parent[path.at(-1) as string] = value;
}

/** RLP of an empty list within others. */
function nestedLists(depth: number): string {
  let bytes = 1;
  const prefixes: Buffer[] = [Buffer.of(0xc0)];
  for (let level = 0; level < depth; level++) {
    const digits = bytes.toString(16);
    const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
    const prefix =
      bytes < 56 ? Buffer.of(0xc0 + bytes) : Buffer.of(0xf7 + length.length, ...length);
    bytes += prefix.length;
    prefixes.unshift(prefix);
  }
  return toHex(Buffer.concat(prefixes));
}

/** Servers in front of a source, one at each path, which change its next record and then send what is none. */
async function startLiars(address: string, changes: readonly Change[]) {
  const asked = new Set<number>();
  const server = createServer((request, response) => {
    const [, index = "", path = ""] = /^\/(\d+)(\/.*)$/.exec(request.url ?? "") ?? [];
    const respond = async () => {
      const got = await fetch(`${address}${path}`);
      const text = await got.text();
      const last = got.headers.get("x-plinth-last-sequence");
      response.writeHead(got.status, last === null ? {} : { "x-plinth-last-sequence": last });
      if (!path.includes("state=true") || !got.ok) return response.end(text);
      const line = JSON.parse(text.slice(0, text.indexOf("\n")));
      asked.add(Number(index));
      changes[Number(index)]?.(line);
      return response.end(`${JSON.stringify(line)}\n{}\n`);
    };
    respond().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    addresses: changes.map((_, index) => `http://127.0.0.1:${port}/${index}`),
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
