import {
  createMemoryStorageDriver,
  type Hash,
  hexToBytes,
  keccak256,
  loadCrypto,
  PluginTable,
  toHex,
} from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { keccakHash } from "@plinth/core/primitives";
import { EnclaveError, EnclaveUnreachable, toBase64 } from "@plinth/kit-enclave";
import { createRandom, FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { ExecutionOrder, ExecutionResult } from "./execution/execute-query.js";
import { PrivateExecutor } from "./execution/executor.js";
import { LateTransactions } from "./markers/late-transactions.js";
import { MARKER_ADDRESS } from "./markers/marker.js";
import { UnresolvedMarkers } from "./markers/unresolved-markers.js";
import { EMPTY_STATE_ROOT, PrivateStore, type PrivateTables } from "./store/private-store.js";
import { groupOfParties, signPrivateTransaction } from "./transaction/private-transaction.js";

const SEEDS = Number(process.env.PLINTH_PRIVATE_SEEDS ?? 20);
const STEPS = 120;
const ALICE = new Uint8Array(32).fill(1);

await loadCrypto();
const OTHERS = [2, 3, 4].map((byte) => new Uint8Array(32).fill(byte));
const GROUPS = OTHERS.map((other) => groupOfParties([ALICE, other]));
const PAYLOADS_OF_GROUP = 6;

interface Payload {
  readonly key: Uint8Array;
  readonly bytes: Uint8Array;
  readonly group: Uint8Array;
}
const payloads: readonly Payload[] = OTHERS.flatMap((other, at) =>
  Array.from({ length: PAYLOADS_OF_GROUP }, (_, nonce) => {
    const bytes = signPrivateTransaction(
      {
        nonce: BigInt(nonce),
        gasPrice: 0n,
        gasLimit: 1n,
        value: 0n,
        data: new Uint8Array(),
        privateFrom: ALICE,
        privateFor: [other],
        restriction: "restricted",
      },
      new Uint8Array(32).fill(7),
    );
    return { key: keccak256(bytes), bytes, group: GROUPS[at] as Uint8Array };
  }),
);

describe("a node with unreliable chain, manager and process", () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    "reaches the state that follows from the chain and its payloads (seed %i)",
    async (seed) => {
      await using world = await openWorld(seed);

      for (let step = 0; step < STEPS; step++) await world.step();

      await world.settle();
      expect(await world.found()).toEqual(world.expected());
    },
  );
});

interface Block {
  readonly header: { readonly number: bigint; readonly hash: Hash; readonly parentHash: Hash };
  readonly body: {
    readonly transactions: readonly { hash: Hash; to: string; data: Uint8Array }[];
  };
}

async function openWorld(seed: number) {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T;
  const chain = createChain(below, pick);
  const disk = await createMemoryStorageDriver().open({ folder: "" });
  const lost = new Set<string>();
  const weather = { isAway: false, isSlow: false };
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise((done) => setImmediate(done));
  };
  let node = await startNode();

  async function startNode() {
    const life = { isOver: false };
    let last: Promise<unknown> = Promise.resolve();
    // Writes are delayed, stay in order, and never happen after the end of the process.
    const store = {
      table: (name: string) => disk.table(name),
      batch: () => {
        const batch = disk.batch();
        return {
          put: batch.put.bind(batch),
          delete: batch.delete.bind(batch),
          commit: () => {
            const done = last.then(async () => {
              await turns(below(3));
              if (life.isOver) return new Promise(() => {});
              await batch.commit();
              await turns(below(3));
              return undefined;
            });
            last = done;
            return done;
          },
        };
      },
    };
    const table = (name: string) =>
      new PluginTable({ plugin: "privacy", name }, () => store as never);
    const tables: PrivateTables = {
      state: table("state"),
      receipts: table("receipts"),
      groups: table("groups"),
      pending: table("pending"),
      progress: table("progress"),
      unresolved: table("unresolved"),
      histories: table("histories"),
    };
    const blocks = chain.blocks as never;
    const clock = new FakeClock(0);
    const privateStore = new PrivateStore(tables, blocks);
    const unresolved = new UnresolvedMarkers(tables.unresolved, blocks);
    const stop = new AbortController();
    const failures: unknown[] = [];
    const enclave = {
      name: "manager",
      async receive(key: Uint8Array) {
        await turns(below(3));
        if (weather.isAway) throw new EnclaveUnreachable("manager", "away");
        const found = payloads.find((payload) => toBase64(payload.key) === toBase64(key));
        if (found === undefined || lost.has(toBase64(key))) throw new EnclaveError(404, "absent");
        return { payload: found.bytes, senderKey: ALICE, privacyGroupId: found.group };
      },
      async findHere(keys: readonly Uint8Array[]) {
        await turns(below(3));
        return keys.map(toBase64).filter((name) => !lost.has(name));
      },
    };
    const executor = new PrivateExecutor({
      runtime: {
        chain: { blocks: chain.blocks },
        clock,
        signal: stop.signal,
        tasks: {
          run(name: string, work: (signal: AbortSignal) => Promise<void>) {
            if (name !== "private transactions") return;
            work(stop.signal).catch((error) => failures.push(error));
          },
        },
        query: {
          async run(_: unknown, order: ExecutionOrder): Promise<ExecutionResult> {
            await turns(below(4));
            if (weather.isSlow && below(2) === 0) throw new Error("too long");
            return execute(order);
          },
        },
      },
      log: silentLogs.for("privacy"),
      store: privateStore,
      enclave: () => enclave,
      rules: {},
      // In half of the runs, one payload at a time.
      ...(seed % 2 === 0 ? { partBytes: 1 } : {}),
      notesAbsent: () => true,
    } as never);
    const late = new LateTransactions({
      unresolved,
      enclave: () => enclave as never,
      clock,
      log: silentLogs.for("privacy"),
      head: () => chain.head().header.number,
      runAgain: (order) => executor.runAgain(order),
    });
    await executor.start();
    return { executor, late, store: privateStore, clock, stop, life, failures };
  }

  const ignore = (work: Promise<unknown>) => {
    work.catch(() => {});
  };

  async function restart() {
    node.life.isOver = true;
    node.stop.abort();
    await turns(10);
    node = await startNode();
  }

  const actions: (() => unknown)[] = [
    () => chain.extend(),
    () => chain.extend(),
    () => chain.extend(),
    () => chain.extend(),
    () => chain.reorganize(),
    () => chain.changeOver(),
    () => {
      lost.add(toBase64(pick(payloads).key));
    },
    () => {
      lost.delete(toBase64(pick(payloads).key));
    },
    () => {
      lost.clear();
    },
    () => {
      weather.isAway = !weather.isAway;
    },
    () => {
      weather.isSlow = !weather.isSlow;
    },
    () => ignore(node.late.check()),
    () => ignore(node.late.check()),
    () => {
      if (below(3) === 0) ignore(node.executor.runAgain({ after: 0n }));
    },
    () => ignore(node.executor.runAgain({ after: 0n, groups: [pick(GROUPS)] })),
    async () => {
      if (below(3) === 0) await restart();
    },
    () => node.clock.advance(pick([100, 1000, 5000, 60_000])),
    () => turns(below(10)),
  ];

  return {
    async step() {
      const head = chain.head();
      await pick(actions)();
      if (chain.head() !== head) node.executor.headMoved();
      await turns(below(6));
    },
    /** Ends all faults and finishes the pending work. */
    async settle() {
      Object.assign(weather, { isAway: false, isSlow: false });
      lost.clear();
      const wait = async () => {
        for (let round = 0; round < 200; round++) {
          await node.clock.advance(130_000);
          await turns(20);
          const { number } = chain.head().header;
          const { groups, delivered, runsAgainUntil } = node.executor.status();
          const isDone = groups.length === 0 && delivered === number;
          if (isDone && runsAgainUntil === undefined) return;
        }
        throw new Error(`does not finish: ${JSON.stringify(node.executor.status(), show)}`);
      };
      await wait();
      for (let check = 0; check < 5; check++) {
        const checking = node.late.check();
        if (!(await checking)) break;
        await wait();
      }
      expect(node.failures).toEqual([]);
    },
    async found() {
      const { number } = chain.head().header;
      return {
        roots: await Promise.all(GROUPS.map((group) => node.store.rootAt(group, number))),
        receipts: chain.canonical().flatMap(({ header, body }) =>
          body.transactions.map(({ hash }) => {
            const receipt = node.store.findReceipt(header.hash, hash);
            return receipt && toHex(receipt.output);
          }),
        ),
        changed: await Promise.all(GROUPS.map((group) => changedBlocks(node.store, group, number))),
      };
    },
    expected() {
      const roots = GROUPS.map(() => EMPTY_STATE_ROOT);
      const changed: string[][] = GROUPS.map(() => []);
      const receipts = chain.canonical().flatMap(({ header, body }) => {
        const before = [...roots];
        const outputs = body.transactions.map(({ data }) => {
          const { bytes, group } = payloads.find(
            ({ key }) => toBase64(key) === toBase64(data),
          ) as Payload;
          const at = GROUPS.indexOf(group);
          const { output, root } = executeOne(roots[at] as Hash, bytes);
          roots[at] = root;
          return output;
        });
        for (const [at, root] of roots.entries()) {
          if (root !== before[at]) changed[at]?.push(`${header.number} ${root}`);
        }
        return outputs;
      });
      return { roots, receipts, changed };
    },
    async [Symbol.asyncDispose]() {
      node.life.isOver = true;
      node.stop.abort();
      await turns(3);
    },
  };
}

async function changedBlocks(store: PrivateStore, group: Uint8Array, to: bigint) {
  const found: string[] = [];
  for await (const { number, root } of store.groupBlocks(group, { from: 0n, to })) {
    found.push(`${number} ${root}`);
  }
  return found;
}

function createChain(below: (count: number) => number, pick: <T>(from: readonly T[]) => T) {
  const genesis: Block = {
    header: { number: 0n, hash: keccakHash(Uint8Array.of(0)), parentHash: EMPTY_STATE_ROOT },
    body: { transactions: [] },
  };
  const byHash = new Map<Hash, Block>([[genesis.header.hash, genesis]]);
  const tips: Block[] = [];
  let canonical: Block[] = [genesis];
  let made = 0;
  const head = () => canonical[canonical.length - 1] as Block;
  const make = (parent: Block): Block => {
    made += 1;
    const transactions = Array.from({ length: below(10) }, (_, index) => ({
      hash: keccakHash(Uint8Array.of(made >> 8, made & 255, index)),
      to: MARKER_ADDRESS,
      data: pick(payloads).key,
    }));
    const header = {
      number: parent.header.number + 1n,
      hash: keccakHash(Uint8Array.of(made >> 8, made & 255)),
      parentHash: parent.header.hash,
    };
    const block = { header, body: { transactions } };
    byHash.set(header.hash, block);
    return block;
  };
  const find = (at: bigint | Hash) =>
    typeof at === "bigint" ? canonical[Number(at)] : byHash.get(at);
  const follow = (tip: Block) => {
    const line: Block[] = [];
    for (let at: Block | undefined = tip; at; at = byHash.get(at.header.parentHash)) {
      line.unshift(at);
    }
    canonical = line;
  };
  return {
    head,
    canonical: () => canonical,
    blocks: {
      head: () => head().header,
      findHeader: (at: bigint | Hash) => find(at)?.header,
      findBlock: (at: bigint | Hash) => find(at),
    },
    extend() {
      canonical.push(make(head()));
    },
    /** Another branch replaces the last blocks. */
    reorganize() {
      const depth = Math.min(1 + below(5), canonical.length - 1);
      tips.push(head());
      let tip = canonical[canonical.length - 1 - depth] as Block;
      for (let count = 0; count < depth + below(2); count++) tip = make(tip);
      follow(tip);
    },
    /** An abandoned branch becomes canonical again. */
    changeOver() {
      if (tips.length === 0) return;
      const [tip] = tips.splice(below(tips.length), 1);
      tips.push(head());
      follow(tip as Block);
    },
  };
}

/** The state covers all executed transactions, and can make a transaction fail. */
function executeOne(
  root: Hash,
  payload: Uint8Array,
): { output: Hash; root: Hash; isDone: boolean } {
  const output = keccakHash(Buffer.concat([hexToBytes(root), payload]));
  const isDone = Number.parseInt(output.slice(2, 4), 16) % 4 !== 0;
  return { output, root: isDone ? output : root, isDone };
}

function execute({ root: before, items, group }: ExecutionOrder): ExecutionResult {
  let root = before;
  const receipts = items.map(({ payload }) => {
    const result = executeOne(root, payload);
    root = result.root;
    const status = result.isDone ? (1 as const) : (0 as const);
    return { status, logs: [], output: hexToBytes(result.output), group };
  });
  return { root, receipts, roots: [], entries: [] };
}

function show(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
