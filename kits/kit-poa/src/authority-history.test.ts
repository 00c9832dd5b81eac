import {
  type Address,
  type ChainReader,
  type CommitEvent,
  definePlugin,
  type Hash,
  InvariantError,
  type PluginBatch,
  type PluginTable,
  type SealedHeader,
} from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { castVote } from "./authorities.js";
import { AuthorityCheckpoints } from "./authority-checkpoints.js";
import { AuthorityHistory, type AuthorityRules } from "./authority-history.js";

const A: Address = `0x${"aa".repeat(20)}`;
const B: Address = `0x${"bb".repeat(20)}`;
const C: Address = `0x${"cc".repeat(20)}`;

const hashOf = (text: string): Hash => `0x${Buffer.from(text).toString("hex").padStart(64, "0")}`;

/** A chain of headers; the coinbase of each is the candidate of its vote. */
function aChain() {
  const headers = new Map<Hash, SealedHeader>();
  const add = (name: string, parent?: SealedHeader, coinbase: Address = A) => {
    const header = {
      number: parent === undefined ? 0n : parent.number + 1n,
      hash: hashOf(name),
      parentHash: parent?.hash ?? hashOf(""),
      coinbase,
    } as SealedHeader;
    headers.set(header.hash, header);
    return header;
  };
  const reads: Hash[] = [];
  const reader: Pick<ChainReader, "findHeader"> = {
    findHeader(hash) {
      reads.push(hash);
      return headers.get(hash);
    },
  };
  return { add, reader, reads, headers };
}

/** One authority votes; a vote for `A` has no effect. */
const rules: AuthorityRules = {
  namedIn: ({ number }) => (number === 0n ? [A] : undefined),
  next: (before, { coinbase, number }) =>
    coinbase === A
      ? before
      : castVote(before, { voter: A, candidate: coinbase, kind: "add", block: number }),
};

describe("the authorities after a block", () => {
  it("are those of its own branch", () => {
    const { add, reader } = aChain();
    const genesis = add("genesis");
    const left = add("left", add("l1", genesis, B));
    const right = add("right", add("r1", genesis, C));
    const history = new AuthorityHistory(rules);

    expect(history.after(left, reader).members).toEqual([A, B]);
    expect(history.after(right, reader).members).toEqual([A, C]);
    expect(history.after(genesis, reader).members).toEqual([A]);
  });

  it("are found without reading the chain again", () => {
    const { add, reader, reads } = aChain();
    const second = add("second", add("first", add("genesis"), B));
    const history = new AuthorityHistory(rules);

    history.after(second, reader);
    const before = reads.length;

    expect(history.after(second, reader).members).toEqual([A, B]);
    expect(reads).toHaveLength(before);
  });

  it("are not guessed if a parent is missing", () => {
    const { add, reader, headers } = aChain();
    const first = add("first", add("genesis"));
    const second = add("second", first);
    headers.delete(first.hash);

    expect(() => new AuthorityHistory(rules).after(second, reader)).toThrow(InvariantError);
  });

  it("are stored on disk at intervals, and read from there", async () => {
    const { table, stop } = await openTable();
    const { add, reader, reads } = aChain();
    let head = add("genesis");
    const heads = [head];
    for (let number = 1; number <= 1030; number++) {
      head = add(`${number}`, head, number === 3 ? B : number === 9 ? C : A);
      heads.push(head);
    }
    const writer = new AuthorityHistory(rules, new AuthorityCheckpoints(table));
    for (const header of heads) await commit(writer, header, reader, table);
    reads.length = 0;

    const fresh = new AuthorityHistory(rules, new AuthorityCheckpoints(table));
    const found = fresh.after(head, reader);

    expect(found.members).toEqual([A, B]);
    expect(found.votes).toEqual([{ voter: A, candidate: C, kind: "add", block: 9n }]);
    expect(reads).toHaveLength(6);
    await stop();
  });

  it("are not cached for each of many blocks if there are many votes", () => {
    const { add, reader, reads } = aChain();
    const votes = Array.from({ length: 300_000 }, (_, index) => ({
      voter: A,
      candidate: `0x${index.toString(16).padStart(40, "0")}` as const,
      kind: "add" as const,
      block: 1n,
    }));
    const crowded: AuthorityRules = {
      ...rules,
      next: ({ members }) => ({ members, votes: [...votes] }),
    };
    const history = new AuthorityHistory(crowded);
    const heads = [add("genesis")];
    for (let number = 1; number <= 8; number++) heads.push(add(`${number}`, heads.at(-1)));
    for (const head of heads) history.after(head, reader);
    reads.length = 0;

    // Three lists fit: those of blocks 6 to 8.
    history.after(heads[8] as SealedHeader, reader);
    expect(reads).toHaveLength(0);
    history.after(heads[5] as SealedHeader, reader);
    expect(reads).toHaveLength(5);
  });

  it("are not those of a checkpoint older than a change in the genesis file", async () => {
    const { table, stop } = await openTable();
    const { add, reader } = aChain();
    let head = add("genesis");
    for (let number = 1; number <= 1024; number++) head = add(`${number}`, head);
    const before = new AuthorityHistory(rules, new AuthorityCheckpoints(table));
    before.after(head, reader);
    await commit(before, head, reader, table);
    const replaced: AuthorityRules = {
      ...rules,
      next: (authorities, header) =>
        header.number === 1024n ? { members: [C], votes: [] } : rules.next(authorities, header),
      isReplacedAfter: ({ number }) => number === 1024n,
    };

    const fresh = new AuthorityHistory(replaced, new AuthorityCheckpoints(table));
    expect(fresh.after(head, reader).members).toEqual([C]);
    await stop();
  });
});

/** Commits a block like the node. */
async function commit(
  history: AuthorityHistory,
  header: SealedHeader,
  reader: Pick<ChainReader, "findHeader">,
  table: PluginTable,
): Promise<void> {
  const changes: [Uint8Array, Uint8Array][] = [];
  const batch: PluginBatch = {
    put: (_, key, value) => changes.push([key, value]),
    delete: () => {},
    onCommitted: () => {},
  };
  history.commit({ block: { header }, batch } as unknown as CommitEvent, reader);
  await table.write(changes);
}

/** A table of a real node. */
async function openTable() {
  let table: PluginTable | undefined;
  const plugin = definePlugin({
    name: "keeper",
    setup({ storage }) {
      table = storage.table("authorities", { isDerived: true });
    },
  });
  const node = await createTestNode({ plugins: [plugin] });
  if (table === undefined) throw new Error("the plugin was not set up");
  return { table, stop: () => node.stop() };
}
