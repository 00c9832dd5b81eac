import {
  type Address,
  type Hash,
  loadCrypto,
  RejectedTransaction,
  type SealedHeader,
  type Transaction,
} from "@plinth/core";
import { decodeTransaction } from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { Crash, type CrashingStore, createCrashingStore } from "../support/crashing-store.js";
import { createDice, type Dice } from "../support/mutate.js";
import {
  aTransfer,
  createLastingStore,
  type PoolNode,
  poolGenesis,
  senderOf,
  startPoolNode,
} from "../support/pool-node.js";

/** `npm run long -- pool` runs ten thousand. */
const SCHEDULES = Number(process.env.PLINTH_POOL_SCHEDULES ?? 50);
/** A new chain is started after this many. */
const SCHEDULES_PER_CHAIN = 10;
const STEPS = 10;
const SENDERS = 3;
const BUMP = 110n;

beforeAll(async () => void (await loadCrypto()));

/** The expected state, by rules that fit on a page. */
class Model {
  /** Everything that was acknowledged. */
  readonly answered = new Map<Hash, Transaction>();
  readonly #waiting = new Map<string, Transaction>();

  waiting(): readonly Hash[] {
    return Array.from(this.#waiting.values(), ({ hash }) => hash).sort();
  }

  find(sender: Address, nonce: bigint): Transaction | undefined {
    return this.#waiting.get(`${sender}:${nonce}`);
  }

  /** Why it would be rejected; accepts it otherwise. */
  send(transaction: Transaction, accountNonce: bigint): string | undefined {
    const { sender, nonce, hash } = transaction;
    const old = this.find(sender, nonce);
    if (old?.hash === hash) return "known";
    if (nonce < accountNonce) return "nonce-too-low";
    if (old !== undefined && !outbids(transaction, old)) return "replacement-underpriced";
    this.#put(transaction);
    this.answered.set(hash, transaction);
    return undefined;
  }

  /** Follows the chain. */
  move(change: {
    readonly removed: readonly Transaction[];
    readonly added: readonly Transaction[];
    readonly nonceOf: (sender: Address) => bigint;
  }): void {
    const mined = new Set(change.added.map(({ hash }) => hash));
    for (const [slot, { sender, nonce }] of this.#waiting) {
      if (nonce < change.nonceOf(sender)) this.#waiting.delete(slot);
    }
    for (const transaction of change.removed) {
      const { sender, nonce, hash } = transaction;
      if (mined.has(hash) || nonce < change.nonceOf(sender)) continue;
      const old = this.find(sender, nonce);
      if (old === undefined || outbids(transaction, old)) this.#put(transaction);
    }
  }

  /** Takes over the state of a process that died. */
  adopt(waiting: readonly Transaction[]): void {
    this.#waiting.clear();
    for (const transaction of waiting) this.#put(transaction);
  }

  #put(transaction: Transaction): void {
    this.#waiting.set(`${transaction.sender}:${transaction.nonce}`, transaction);
  }
}

function outbids({ gasPrice = 0n }: Transaction, { gasPrice: old = 0n }: Transaction): boolean {
  return gasPrice * 100n >= old * BUMP;
}

/** Random sends, blocks, reorganizations, restarts and crashes. */
class Schedule {
  readonly #model = new Model();
  readonly #dice: Dice;
  readonly #senders: readonly Address[];
  readonly #store: CrashingStore;
  readonly #seen: string[] = [];
  #node: PoolNode;
  /** The chain since the schedule started, with its first parent. */
  #chain: SealedHeader[];

  constructor(node: PoolNode, store: CrashingStore, seed: number) {
    this.#node = node;
    this.#store = store;
    this.#dice = createDice(seed);
    const first = (seed % SCHEDULES_PER_CHAIN) * SENDERS;
    this.#senders = Array.from({ length: SENDERS }, (_, index) => senderOf(first + index));
    this.#chain = [node.blocks.head()];
  }

  async run(): Promise<PoolNode> {
    for (let step = 0; step < STEPS; step++) {
      await this.#step();
      this.#verify();
    }
    // Nothing executable is left when blocks continue.
    await this.#mine();
    for (const hash of this.#model.waiting()) {
      expect(this.#node.pool.explain(hash).state).toBe("waiting-for-nonce");
    }
    return this.#node;
  }

  /** The history, for analyzing a failure. */
  get story(): string {
    return this.#seen.join(", ");
  }

  async #step(): Promise<void> {
    const steps = [
      [12, "send", () => this.#send()],
      [5, "mine", () => this.#mine()],
      [4, "reorganize", () => this.#reorganize()],
      [1, "restart", () => this.#restart()],
      [2, "crash", () => this.#crash()],
    ] as const;
    let choice = this.#dice(steps.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, name, run] of steps) {
      if (choice < weight) {
        this.#seen.push(name);
        return run();
      }
      choice -= weight;
    }
  }

  async #send(): Promise<void> {
    const transaction = this.#aTransaction();
    const { raw, sender, hash } = transaction;
    const expected = this.#model.send(transaction, this.#nonceOf(sender));
    try {
      expect((await this.#node.pool.submit(raw, { sender })).hash).toBe(hash);
      expect(expected).toBeUndefined();
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      expect(error.reason).toBe(expected);
    }
  }

  async #mine(): Promise<void> {
    const header = await this.#node.mine();
    const before = this.#chain;
    this.#chain = [...before, header];
    this.#moved(before);
  }

  async #reorganize(): Promise<void> {
    const before = this.#chain;
    const depth = Math.min(this.#dice(6), before.length - 1);
    const branch = before.slice(0, before.length - depth);
    for (let made = 0; made <= depth; made++) {
      const parent = branch.at(-1);
      if (parent === undefined) return;
      branch.push(await this.#node.extend(parent, this.#someCandidates(before)));
    }
    this.#chain = branch;
    this.#moved(before);
  }

  async #restart(): Promise<void> {
    await this.#node.stop();
    await this.#start();
  }

  /** Dies in the middle of something; what was acknowledged before must be somewhere afterwards. */
  async #crash(): Promise<void> {
    const reorganize = () => this.#reorganize();
    const works = [() => this.#node.mine(), reorganize, reorganize, () => this.#sendBlindly()];
    this.#store.crashAfter(this.#dice(6));
    try {
      await works[this.#dice(works.length)]?.();
    } catch (error) {
      if (!(error instanceof Crash) && !this.#store.hasCrashed) throw error;
    }
    await this.#node.stop();
    this.#store.revive();
    await this.#start();
    this.#chain = this.#readChain();
    for (const hash of this.#model.answered.keys()) {
      expect([hash, this.#node.pool.explain(hash).state]).not.toEqual([hash, "unknown"]);
    }
    this.#model.adopt(this.#waiting());
  }

  async #sendBlindly(): Promise<void> {
    const { raw, sender } = this.#aTransaction();
    try {
      const transaction = await this.#node.pool.submit(raw, { sender });
      this.#model.answered.set(transaction.hash, transaction);
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
    }
  }

  async #start(): Promise<void> {
    this.#node = await startPoolNode({ store: this.#store, genesis: GENESIS });
  }

  #verify(): void {
    const { pool } = this.#node;
    expect(
      this.#waiting()
        .map(({ hash }) => hash)
        .sort(),
    ).toEqual(this.#model.waiting());
    for (const [hash] of this.#model.answered) {
      const { state } = pool.explain(hash);
      const isMined = this.#node.blocks.findTransaction(hash) !== undefined;
      expect(isMined).toBe(state === "mined");
      if (!isMined && pool.find(hash) === undefined) expect(state).toBe("dropped");
    }
  }

  #moved(before: readonly SealedHeader[]): void {
    const [old, now] = [before, this.#chain].map((chain) => new Set(chain.map(({ hash }) => hash)));
    const transactionsOf = (
      chain: readonly SealedHeader[],
      without: ReadonlySet<Hash> | undefined,
    ) =>
      chain
        .filter(({ hash }) => without?.has(hash) !== true)
        .flatMap(({ hash }) => this.#node.blocks.findBlock(hash)?.body.transactions ?? []);
    this.#model.move({
      removed: transactionsOf(before, now),
      added: transactionsOf(this.#chain, old),
      nonceOf: (sender) => this.#nonceOf(sender),
    });
  }

  /**
   * The content of a block of another branch: some known transactions, and some that were never
   * sent here.
   */
  #someCandidates(chain: readonly SealedHeader[]): readonly Transaction[] {
    const mined = chain.slice(1).flatMap(({ hash }) => {
      const block = this.#node.blocks.findBlock(hash);
      return block?.body.transactions ?? [];
    });
    const foreign = Array.from({ length: 2 }, () => this.#aTransaction());
    return [...mined, ...this.#waiting(), ...foreign]
      .filter(() => this.#dice(3) > 0)
      .sort((a, b) => Number(a.nonce - b.nonce));
  }

  #aTransaction(): Transaction {
    const sender = this.#senders[this.#dice(SENDERS)] ?? senderOf(0);
    const lowest = this.#nonceOf(sender) - 1n;
    const nonce = lowest + BigInt(this.#dice(6));
    const fields = {
      nonce: nonce < 0n ? 0n : nonce,
      gasPrice: BigInt(100 + 5 * this.#dice(8)) * 10_000_000n,
      value: BigInt(this.#dice(1_000_000)),
    };
    return decodeTransaction(aTransfer(fields, sender), sender);
  }

  #waiting(): readonly Transaction[] {
    return this.#node.pool.all().filter(({ sender }) => this.#senders.includes(sender));
  }

  #nonceOf(sender: Address): bigint {
    const { blocks } = this.#node;
    return blocks.stateAt(blocks.head()).findAccount(sender)?.nonce ?? 0n;
  }

  #readChain(): SealedHeader[] {
    const { blocks } = this.#node;
    const from = this.#chain[0]?.number ?? 0n;
    const length = Number(blocks.head().number - from) + 1;
    return Array.from({ length }, (_, index) => blocks.findHeader(from + BigInt(index))).filter(
      (header) => header !== undefined,
    );
  }
}

const GENESIS = poolGenesis(SCHEDULES_PER_CHAIN * SENDERS);

describe("random schedules of sends, blocks, reorganizations, restarts and crashes", () => {
  it(
    `lose nothing and agree with the model, ${SCHEDULES} times`,
    async () => {
      const seed = Number(process.env.PLINTH_POOL_SEED ?? 1);
      for (let done = 0; done < SCHEDULES; ) {
        const store = createCrashingStore(await createLastingStore());
        let node = await startPoolNode({ store, genesis: GENESIS });
        for (let index = 0; index < SCHEDULES_PER_CHAIN && done < SCHEDULES; index++, done++) {
          const schedule = new Schedule(node, store, seed * SCHEDULES_PER_CHAIN * 1_000 + done);
          try {
            node = await schedule.run();
          } catch (error) {
            throw new Error(`schedule ${done}: ${schedule.story}`, { cause: error });
          }
        }
        await node.stop();
      }
    },
    60_000 + SCHEDULES * 200,
  );
});
