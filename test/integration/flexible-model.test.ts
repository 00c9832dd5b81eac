import type { Address, Hash, Hex } from "@plinth/core";
import { PROXY_ADDRESS, SELECTORS } from "@plinth/plugin-privacy/api";
import { createRandom } from "@plinth/testing";
import { afterEach, expect, it } from "vitest";
import {
  type FlexibleMember,
  FlexibleNetwork,
  manage,
  newGroup,
  OTHER_KEY,
  OWNER_KEY,
  STORE,
  word,
} from "../support/flexible-members.js";

/** Number of blocks; PLINTH_FLEXIBLE_BLOCKS for a long run. */
const BLOCKS = Number(process.env.PLINTH_FLEXIBLE_BLOCKS ?? 12);
const SEED = Number(process.env.PLINTH_FLEXIBLE_SEED ?? 1);
const SENDERS = [
  { address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73", key: OWNER_KEY },
  { address: "0x7e9fb40f66c4e132fa5e64e49f307e02b76540f8", key: OTHER_KEY },
] as const;

const open: FlexibleNetwork[] = [];
afterEach(async () => {
  for (const network of open.splice(0)) await network[Symbol.asyncDispose]();
});

/** A group of the model, which its owner never leaves. */
interface ModelGroup {
  readonly id: string;
  readonly owner: FlexibleMember;
  readonly contract: Address;
  /** The added members, with the number of their block. */
  readonly added: { readonly number: bigint; readonly member: FlexibleMember }[];
}

it(`members of flexible groups agree after each of ${BLOCKS} random blocks (seed ${SEED})`, async () => {
  const network = await FlexibleNetwork.open(["a", "b", "c", "d"]);
  open.push(network);
  const model = await Model.create(network);
  for (let block = 0; block < BLOCKS; block++) {
    await model.step();
    await model.compare();
  }
});

/** Produces random blocks, and compares the reports of the members of each group. */
class Model {
  readonly #network: FlexibleNetwork;
  readonly #random = createRandom(SEED);
  readonly #groups: readonly ModelGroup[];

  private constructor(network: FlexibleNetwork, groups: readonly ModelGroup[]) {
    this.#network = network;
    this.#groups = groups;
  }

  static async create(network: FlexibleNetwork): Promise<Model> {
    const groups: ModelGroup[] = [];
    for (const owner of network.members.slice(0, 2)) {
      const id = newGroup();
      await network.run(owner, manage.add(id, owner));
      const { contractAddress: contract } = await network.run(owner, { group: id, data: STORE });
      groups.push({ id, owner, contract, added: [] });
    }
    return new Model(network, groups);
  }

  async step(): Promise<void> {
    const kind = this.#below(10);
    if (kind === 0) return this.#pick(this.#network.members).restart();
    if (kind === 1) return this.#reorganize();
    const named: Hex[] = [];
    for (let count = 1 + this.#below(3); count > 0; count--) named.push(await this.#send());
    const down = this.#below(4) === 0 ? this.#pick(this.#network.members.slice(1)) : undefined;
    const { down: away } = this.#network.managers;
    if (down !== undefined) away.add(down.site.url);
    await this.#network.mine(...this.#shuffle(named));
    if (down === undefined) return;
    away.delete(down.site.url);
    await this.#network.managers.meet();
    // It continues with what it has missed.
    await down.restart();
  }

  /** Sends a private transaction to a group; returns the reference of its marker. */
  async #send(): Promise<Hex> {
    const group = this.#pick(this.#groups);
    const { id, owner, contract } = group;
    const members = await this.#membersOf(group);
    const others = this.#network.members.filter((member) => member !== owner);
    const store = async () => {
      const signer = this.#pick(SENDERS).key;
      const data = word(1 + this.#below(1000));
      return this.#pick(members).distribute({ group: id, to: contract, data, signer });
    };
    const add = async () => {
      const added = others.filter(() => this.#below(2) === 0);
      return this.#add(group, added.length === 0 ? others : added);
    };
    const operations = [
      store,
      store,
      add,
      () => owner.distribute(manage.remove(id, this.#pick(others))),
      () => owner.distribute(manage.lock(id)),
      () => owner.distribute(manage.unlock(id)),
      () => owner.distribute({ ...manage.lock(id), signer: OTHER_KEY }),
    ];
    // Otherwise a group is seldom locked long enough to be added to.
    const isAddedTo = this.#below(2) === 0 && (await this.#isLocked(group));
    return isAddedTo ? add() : this.#pick(operations)();
  }

  async #add(group: ModelGroup, added: readonly FlexibleMember[]): Promise<Hex> {
    const { id, owner } = group;
    const number = owner.test.node.blocks.head().number + 1n;
    group.added.push(...added.map((member) => ({ number, member })));
    return owner.distribute(manage.add(id, ...added));
  }

  /**
   * Replaces the last blocks by others.
   *
   * A history contains the states of the group. If they have changed, it does not fit, and its
   * recipients are added again.
   */
  async #reorganize(): Promise<void> {
    const [first] = this.#network.members as [FlexibleMember];
    const depth = 1 + this.#below(3);
    const from = first.test.node.blocks.head().number - BigInt(depth) + 1n;
    const inDoubt = new Map(
      this.#groups.map((group) => [
        group,
        group.added.filter(({ number }) => number >= from).map(({ member }) => member),
      ]),
    );
    await first.test.reorganize(depth, ...Array.from({ length: depth + 1 }, () => []));
    await this.#network.follow(from);
    await this.compare(inDoubt);
    // Transactions of removed blocks wait in the pool.
    await this.#network.mine();
    await this.compare(inDoubt);
    for (const group of this.#groups) {
      const members = await this.#membersOf(group);
      const again = members.filter((member) => inDoubt.get(group)?.includes(member));
      if (again.length === 0) continue;
      if (!(await this.#isLocked(group))) {
        await this.#network.run(group.owner, manage.lock(group.id));
      }
      await this.#network.mine(await this.#add(group, again));
    }
  }

  async compare(
    inDoubt: ReadonlyMap<ModelGroup, readonly FlexibleMember[]> = new Map(),
  ): Promise<void> {
    for (const group of this.#groups) {
      const members = (await this.#membersOf(group)).filter(
        (member) => !inDoubt.get(group)?.includes(member),
      );
      const said = await Promise.all(members.map((member) => this.#ask(group, member)));
      for (const one of said) expect(one).toEqual(said[0]);
    }
  }

  /** Everything that members must agree on. */
  async #ask({ id }: ModelGroup, { rpc }: FlexibleMember) {
    const found = await rpc<{ privacyGroupId: string }[]>("privx_findFlexiblePrivacyGroup", []);
    const logs = await rpc<{ transactionHash: Hash }[]>("priv_getLogs", id, {});
    const last = [...new Set(logs.map(({ transactionHash }) => transactionHash))].slice(-5);
    return {
      root: await rpc("priv_debugGetStateRoot", id, "latest"),
      group: found.find(({ privacyGroupId }) => privacyGroupId === id),
      logs,
      nonces: await Promise.all(
        SENDERS.map(({ address }) => rpc("priv_getTransactionCount", address, id)),
      ),
      receipts: await Promise.all(last.map((hash) => rpc("priv_getTransactionReceipt", hash))),
      transactions: await Promise.all(last.map((hash) => rpc("priv_getPrivateTransaction", hash))),
    };
  }

  /** The members according to the owner. */
  async #membersOf({ id, owner }: ModelGroup): Promise<readonly FlexibleMember[]> {
    const found = await owner.rpc<{ privacyGroupId: string; members: string[] }[]>(
      "privx_findFlexiblePrivacyGroup",
      [owner.key],
    );
    const keys = found.find(({ privacyGroupId }) => privacyGroupId === id)?.members ?? [];
    return this.#network.members.filter(({ key }) => keys.includes(key));
  }

  async #isLocked({ id, owner }: ModelGroup): Promise<boolean> {
    const call = { to: PROXY_ADDRESS, data: SELECTORS.canExecute };
    return Number(await owner.rpc("priv_call", id, call, "latest")) === 0;
  }

  #shuffle<T>(list: readonly T[]): readonly T[] {
    const order = list.map((item) => ({ item, at: this.#random() }));
    return order.sort((one, other) => one.at - other.at).map(({ item }) => item);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}
