import {
  type Address,
  type Block,
  getCrypto,
  type Hash,
  type Hex,
  hexToBytes,
  loadCrypto,
  t,
} from "@plinth/core";
import {
  type BftMessage,
  BlockForm,
  bftSettings,
  type Effect,
  Height,
  type HeightFacts,
  quorumOf,
  Rejected,
  selectProposer,
} from "@plinth/kit-bft";
import {
  type QbftProposal,
  type QbftRoundChange,
  qbft,
  qbftExtraData,
} from "@plinth/plugin-consensus-qbft/api";
import { beforeAll, describe, expect, it } from "vitest";
import { TrustedBlocks } from "../../support/trusted-blocks.js";
import { BesuHeight } from "./besu-24-9-1.js";
import { SimulatedChain } from "./simulated-chain.js";
import { genesisOf } from "./simulation.js";

type Message = BftMessage<QbftProposal, QbftRoundChange>;
type Machine = Pick<
  Height<QbftProposal, QbftRoundChange>,
  "start" | "periodPassed" | "roundExpired" | "received" | "round"
>;

const MANY_ROUNDS = 12;
const form = {
  dialect: qbft,
  codec: qbftExtraData,
  form: new BlockForm(qbftExtraData),
  settings: t.object(bftSettings).decode({}),
};

beforeAll(async () => {
  await loadCrypto();
});

describe("a block that Besu 24.9.1 proposed in round 1 and a validator was prepared for", () => {
  it("stalls four validators of that release permanently, even if only one holds it", async () => {
    const table = await Table.atRound1(["besu", "besu", "besu", "besu"]);
    await table.prepareRound1(table.holder);

    await table.expireRounds(MANY_ROUNDS);

    expect(table.decided.size).toBe(0);
  });

  it("is skipped by one of ours when it is its turn to propose, and the height ends", async () => {
    const table = await Table.atRound1(["plinth", "besu", "besu", "besu"]);
    await table.prepareRound1(table.holder);

    await table.expireRounds(4);

    expect(table.hashes()).toHaveLength(1);
    expect(table.decided.size).toBe(4);
  });

  it("stalls them with one of ours as well if all hold it, until a commit of round 1 arrives", async () => {
    const table = await Table.atRound1(["plinth", "besu", "besu", "besu"]);
    await table.prepareRound1();
    await table.expireRounds(MANY_ROUNDS);
    expect(table.decided.size).toBe(0);

    await table.deliverWithheld(({ kind, round }) => kind === "commit" && round === 1);

    const [block] = table.decided.get(table.ours) ?? [];
    expect([...table.decided.keys()]).toEqual([table.ours]);
    expect(block && qbftExtraData.decode(block.header.extraData)).toMatchObject({ round: 1 });
  });

  it("is resolved by restarting the others, which makes them forget it", async () => {
    const table = await Table.atRound1(["plinth", "besu", "besu", "besu"]);
    await table.prepareRound1();
    await table.expireRounds(3);

    await table.restartBesu();
    await table.expireRounds(8);

    expect(table.hashes()).toHaveLength(1);
  });
});

/** Four validators in one process: messages are delivered at once, or withheld. */
class Table {
  readonly decided = new Map<Address, Block[]>();
  readonly #kinds: ReadonlyMap<Address, "plinth" | "besu">;
  readonly #keys: ReadonlyMap<Address, Hex>;
  readonly #facts: HeightFacts;
  readonly #chain: SimulatedChain;
  readonly #machines = new Map<Address, Machine>();
  readonly #withheld: { readonly message: Message; readonly to: Address }[] = [];
  /** Whether a message reaches a validator. */
  #reaches: (message: Message, to: Address) => boolean = () => true;

  static async atRound1(kinds: readonly ("plinth" | "besu")[]): Promise<Table> {
    const table = new Table(kinds);
    for (const address of table.#facts.validators) table.#open(address);
    table.#reaches = ({ kind }) => kind !== "proposal";
    for (const [address, machine] of table.#machines) {
      await table.#take(address, [...(await machine.start()), ...(await machine.periodPassed())]);
    }
    return table;
  }

  private constructor(kinds: readonly ("plinth" | "besu")[]) {
    const keys = kinds.map((_, index): Hex => `0x${(index + 1).toString(16).padStart(64, "0")}`);
    const addresses = keys.map((key) =>
      getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key))),
    );
    const validators = [...addresses].sort();
    // Ours proposes in round 3, after those that fail.
    const order = [3, 0, 1, 2].map((at) => validators[at] ?? "0x");
    this.#keys = new Map(addresses.map((address, index) => [address, keys[index] ?? "0x"]));
    this.#kinds = new Map(order.map((address, index) => [address, kinds[index] ?? "besu"]));
    this.#chain = new SimulatedChain(form, genesisOf(form, validators));
    this.#facts = {
      height: 1n,
      validators,
      quorum: quorumOf(validators.length),
      proposerOf: (round) =>
        selectProposer({ validators, previous: `0x${"00".repeat(20)}`, round }),
    };
  }

  /** The validator of ours. */
  get ours(): Address {
    return this.#facts.validators[3] ?? "0x";
  }

  /** Whose messages the others receive first. */
  get holder(): Address {
    return this.#facts.validators[0] ?? "0x";
  }

  hashes(): readonly Hash[] {
    const blocks = [...this.decided.values()].flat();
    return [...new Set(blocks.map(({ header }) => form.form.hashOf(header)))];
  }

  /** Round 1: one validator receives all prepares, or all do; no commit is received. */
  async prepareRound1(only?: Address): Promise<void> {
    this.#reaches = ({ kind }, to) =>
      kind !== "commit" && (kind !== "prepare" || only === undefined || to === only);
    await this.#expire();
    expect([...this.#machines.values()].map(({ round }) => round)).toEqual([1, 1, 1, 1]);
    this.#reaches = () => true;
  }

  async expireRounds(count: number): Promise<void> {
    for (let round = 0; round < count && this.decided.size < 4; round++) await this.#expire();
  }

  async deliverWithheld(isWanted: (message: Message) => boolean): Promise<void> {
    for (const { message, to } of this.#withheld)
      if (isWanted(message)) await this.#hear(message, to);
  }

  /** They have lost everything they knew. */
  async restartBesu(): Promise<void> {
    for (const [address, kind] of this.#kinds) {
      if (kind !== "besu") continue;
      const machine = this.#open(address);
      await this.#take(address, [...(await machine.start()), ...(await machine.periodPassed())]);
    }
  }

  #open(self: Address): Machine {
    const key = this.#keys.get(self) ?? "0x";
    const parts = {
      facts: this.#facts,
      self,
      sign: async (hash: Hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(key)),
      dueRound: () => 0,
      blocks: new TrustedBlocks(form.form, (round) => this.#build(self, round)),
    };
    const machine =
      this.#kinds.get(self) === "plinth"
        ? new Height({ ...parts, dialect: qbft })
        : new BesuHeight(parts);
    this.#machines.set(self, machine);
    return machine;
  }

  #build(self: Address, round: number): Block {
    const parent = this.#chain.head();
    const timestamp = parent.timestamp + BigInt(round + 1);
    return this.#chain.build(parent, { timestamp, self, validators: this.#facts.validators }).block;
  }

  /** The round of each validator times out; the holder is the first to report it. */
  async #expire(): Promise<void> {
    const rounds = this.#facts.validators.map((address) => this.#machine(address).round ?? 0);
    for (const [index, address] of this.#facts.validators.entries()) {
      await this.#take(address, await this.#machine(address).roundExpired(rounds[index] ?? 0));
    }
  }

  async #take(
    from: Address,
    effects: readonly Effect<QbftProposal, QbftRoundChange>[],
  ): Promise<void> {
    for (const effect of effects) {
      if (effect.kind === "decide") {
        this.decided.set(from, [...(this.decided.get(from) ?? []), effect.block]);
      }
      if (effect.kind === "send") await this.#multicast(from, effect.message);
    }
  }

  async #multicast(from: Address, message: Message): Promise<void> {
    for (const to of this.#facts.validators) {
      if (to === from) continue;
      if (this.#reaches(message, to)) await this.#hear(message, to);
      else this.#withheld.push({ message, to });
    }
  }

  async #hear(message: Message, to: Address): Promise<void> {
    try {
      await this.#take(to, await this.#machine(to).received(message));
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
    }
  }

  #machine(address: Address): Machine {
    const machine = this.#machines.get(address);
    if (machine === undefined) throw new Error(`there is no validator ${address}`);
    return machine;
  }
}
