import {
  decodeRlp,
  encodeRlp,
  type Hash,
  type Hex,
  hexToBytes,
  type Rlp,
  toHex,
} from "@plinth/core";
import { PROXY_ADDRESS, SELECTORS } from "@plinth/plugin-privacy/api";
import { createRandom } from "@plinth/testing";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FlexibleMember,
  FlexibleNetwork,
  manage,
  newGroup,
  OTHER_KEY,
  STORE,
  word,
} from "../support/flexible-members.js";

const UNKNOWN_GROUP = "Error finding privacy group";
const KEY_DIGITS = 2 + 64;
const ORDINARY_MARKER = "0x000000000000000000000000000000000000007e";
const STEPS = Number(process.env.PLINTH_FLEXIBLE_STEPS ?? 40);

const open: FlexibleNetwork[] = [];
afterEach(async () => {
  for (const network of open.splice(0)) await network[Symbol.asyncDispose]();
});

/** A locked group of the first two nodes; the third is about to be added. */
async function openLocked() {
  const network = await FlexibleNetwork.open(["a", "b", "c"]);
  open.push(network);
  const [a, b, c] = network.members;
  const group = newGroup();
  await network.run(a, manage.add(group, a, b));
  const { contractAddress: contract } = await network.run(a, { group, data: STORE });
  await network.run(b, { group, to: contract, data: word(7), signer: OTHER_KEY });
  await network.run(a, manage.lock(group));
  return { network, a, b, c, group, contract };
}

const agreement = async (
  network: FlexibleNetwork,
  group: string,
  of: readonly FlexibleMember[],
) => {
  const roots = await network.roots(group, of);
  expect(roots).toEqual(roots.map(() => roots[0]));
  expect(roots[0]).toMatch(/^0x/);
};

describe("a manager of a flexible group that is away", () => {
  it("prevents adding its node, and nothing is changed", async () => {
    const { network, a, b, c, group } = await openLocked();
    const before = await network.roots(group, [a, b]);
    network.managers.down.add(c.site.url);

    await expect(a.distribute(manage.add(group, c))).rejects.toMatchObject({ code: -50100 });

    expect(await network.roots(group, [a, b])).toEqual(before);
    network.managers.down.delete(c.site.url);
    await network.managers.meet();
    expect(await network.run(a, manage.add(group, c))).toMatchObject({ status: "0x1" });
    await agreement(network, group, network.members);
  });

  it("delays its node alone, which continues when it is back", async () => {
    const { network, a, b, c, group } = await openLocked();
    const named = await a.distribute(manage.add(group, c));
    network.managers.down.add(c.site.url);

    await network.mine(named);

    await agreement(network, group, [a, b]);
    await expect
      .poll(() => c.rpc<{ waiting?: { reason: string } }>("plinth_privacyStatus"))
      .toMatchObject({ waiting: { reason: expect.stringContaining("down") } });
    network.managers.down.delete(c.site.url);
    // It continues where it was, also after a restart of the process.
    await c.restart();
    await agreement(network, group, network.members);
  });
});

describe("a history that differs from what the members have run", () => {
  const replaceAt = (list: Rlp, at: number, change: (item: readonly Rlp[]) => Rlp): Rlp =>
    (list as readonly Rlp[]).map((item, index) =>
      index === at ? change(item as readonly Rlp[]) : item,
    );
  const zero = new Uint8Array(32);

  it.each<[string, string, (list: readonly Rlp[]) => Rlp]>([
    ["is no list", "past transaction", () => [zero]],
    ["is empty", "it is empty", () => []],
    [
      "says another state",
      "the state after",
      (list) =>
        replaceAt(list, 2, ([tx, outcome]) => [tx as Rlp, [(outcome as Rlp[])[0] as Rlp, zero]]),
    ],
    ["lacks the first transaction", "fails", (list) => list.slice(1)],
    [
      "lacks one in the middle",
      "the state after",
      (list) => [...list.slice(0, 1), ...list.slice(2)],
    ],
    ["is in another order", "chain order", (list) => [...list].reverse()],
    ["has one twice", "chain order", (list) => [...list, list.at(-1) as Rlp]],
    [
      "names a marker that is not there",
      "is not a marker of an earlier block",
      (list) =>
        replaceAt(list, 0, ([tx, outcome]) => [tx as Rlp, [zero, (outcome as Rlp[])[1] as Rlp]]),
    ],
    [
      "has a transaction of another group",
      "belongs to another group",
      (list) =>
        replaceAt(list, 0, ([tx, outcome]) => [
          (tx as Rlp[]).map((field, at) => (at === 10 ? zero : field)),
          outcome as Rlp,
        ]),
    ],
    [
      "has another transaction in the place of one",
      "fails",
      (list) =>
        replaceAt(list, 1, ([tx, outcome]) => [
          (tx as Rlp[]).map((field, at) => (at === 5 ? new Uint8Array(3) : field)),
          outcome as Rlp,
        ]),
    ],
  ])("and %s is rejected by name, and nothing of it is stored", async (_, reason, forge) => {
    const { network, a, b, c, group } = await openLocked();
    const named = await a.distribute(manage.add(group, c));
    const genuine = await a.site.client.receive(hexToBytes(`0x${named.slice(KEY_DIGITS)}`), a.key);
    const list = decodeRlp(genuine.payload) as readonly Rlp[];
    const forged = await a.site.client.send(encodeRlp(forge(list)), {
      from: a.site.key,
      to: [c.site.key],
    });

    const [hash] = await network.mine(
      `${named.slice(0, KEY_DIGITS)}${toHex(forged).slice(2)}` as Hex,
    );

    await agreement(network, group, [a, b]);
    expect(await network.roots(group, [c])).toEqual([UNKNOWN_GROUP]);
    const status = await c.rpc<{ reason: string }>("plinth_privateTransactionStatus", hash);
    expect(status).toMatchObject({ status: "failed" });
    expect(status.reason).toContain("the history is rejected: ");
    expect(status.reason).toContain(reason);
    expect(await c.rpc("priv_getLogs", group, {})).toEqual([]);
  });

  it("does not replace what a member has run itself", async () => {
    const { network, a, b, c, group } = await openLocked();
    const own = await network.roots(group, [a, b]);
    // Another group of the same name, between two uninvolved members.
    const fake = manage.add(group, c);
    const payload = encodeRlp([decodeRlp(hexToBytes(await c.sign({ ...fake, nonce: 0n }))), zero]);
    const to = [a.site.key, b.site.key, c.site.key];
    const key = await c.site.client.send(payload, { from: c.site.key, to });
    const [created] = await network.mine(toHex(key));
    expect(await c.rpc("priv_getTransactionReceipt", created)).toMatchObject({ status: "0x1" });
    const [root] = await network.roots(group, [c]);
    const history = encodeRlp([
      [
        (decodeRlp(payload) as readonly Rlp[])[0] as Rlp,
        [hexToBytes(created as Hash), hexToBytes(String(root))],
      ],
    ]);

    const historyKey = await c.site.client.send(history, { from: c.site.key, to });
    await network.mine(toHex(Buffer.concat([key, historyKey])));

    expect(await network.roots(group, [a, b])).toEqual(own);
  });
});

describe("a process that ends", () => {
  it.each(["created", "stored", "locked", "added", "removed", "added again"])(
    "after its group was %s continues with the same states",
    async (last) => {
      const { network, a, b, c, group, contract } = await openLocked();
      const steps: Record<string, () => Promise<unknown>> = {
        created: async () => {},
        stored: async () => {
          await network.run(a, manage.unlock(group));
          await network.run(b, { group, to: contract, data: word(8), signer: OTHER_KEY });
        },
        locked: () => network.run(a, manage.lock(group)),
        added: () => network.run(a, manage.add(group, c)),
        removed: () => network.run(a, manage.remove(group, c)),
        "added again": async () => {
          await network.run(a, manage.lock(group));
          await network.run(a, manage.add(group, c));
        },
      };
      for (const [name, step] of Object.entries(steps)) {
        await step();
        if (name === last) break;
      }
      const before = await network.roots(group);
      for (const member of network.members) await member.restart();

      expect(await network.roots(group)).toEqual(before);
      const isMember = last === "added" || last === "added again";
      await agreement(network, group, isMember ? network.members : [a, b]);
    },
  );

  it("while a new member runs the history keeps all of it or nothing", async () => {
    const { network, a, c, group } = await openLocked();
    const { store } = c.privacy();
    let tried = 0;
    store.finish = async () => {
      tried += 1;
      throw new Error("the process ends before its last write");
    };

    await network.mine(await a.distribute(manage.add(group, c)));
    await expect.poll(() => tried).toBe(1);

    expect(await store.rootAt(Buffer.from(group, "base64"), 100n)).toMatch(/^0x56e81f17/);
    expect(store.findHistoryKey(Buffer.from(group, "base64"))).toBeUndefined();
    await c.restart();
    await agreement(network, group, network.members);
  });
});

describe("a history that was sent before the group went on", () => {
  it("is reported by its sender, and fixed by another addition", async () => {
    const { network, a, b, c, group } = await openLocked();
    const named = await a.distribute(manage.add(group, c));
    // A locked group runs calls of its contract, of any account.
    const call = { group, to: PROXY_ADDRESS, data: SELECTORS.getVersion, signer: OTHER_KEY };
    expect(await network.run(b, call)).toMatchObject({ status: "0x1" });

    await network.mine(named);

    const [root, , other] = await network.roots(group);
    expect(other).not.toBe(root);
    expect(a.logs).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining("without the last 1 private transactions"),
      }),
    );
    await network.run(a, manage.lock(group));
    await network.run(a, manage.add(group, c));
    await agreement(network, group, network.members);
  });
});

describe("a node whose kind of groups is changed", () => {
  it("runs what its flexible groups did meanwhile when it is changed back", async () => {
    const { network, a, b, group, contract } = await openLocked();
    await network.run(a, manage.unlock(group));
    await b.restart({ privacyFlexibleGroupsEnabled: false });

    await network.run(a, { group, to: contract, data: word(9) });
    const named = { group: undefined, data: STORE, nonce: 0n, privateFor: [] };
    const ordinary = await b.distribute(named);
    await a.test.mine([{ to: ORDINARY_MARKER, data: ordinary, gasLimit: 100_000n } as never]);
    await network.follow();
    const { blocks } = a.test.node;
    const marker = blocks.findBlock(blocks.head().number)?.body.transactions[0]?.hash;
    const receipt = await b.rpc<{ privacyGroupId: string }>("priv_getTransactionReceipt", marker);
    expect(receipt).toMatchObject({ status: "0x1" });
    for (const asked of [[], [group]]) await b.rpc("admin_rebuildPrivacy", ...asked);
    await b.restart({ privacyFlexibleGroupsEnabled: true });

    await agreement(network, group, [a, b]);
    expect(await b.rpc("priv_call", group, { to: contract, data: "0x" }, "latest")).toBe(word(9));
    // Groups of the managers are not confused with others.
    expect(await b.rpc("privx_findFlexiblePrivacyGroup", [])).toMatchObject([
      { privacyGroupId: group },
    ]);
    await b.restart({ privacyFlexibleGroupsEnabled: false });
    expect(await b.rpc("priv_getTransactionReceipt", marker)).toEqual(receipt);
  });
});

describe("members of a flexible group", () => {
  it(`agree after each of ${STEPS} random operations`, async () => {
    const network = await FlexibleNetwork.open(["a", "b", "c", "d"]);
    open.push(network);
    const random = createRandom(Number(process.env.PLINTH_FLEXIBLE_SEED ?? 1));
    const below = (count: number) => Math.floor(random() * count);
    const [owner, ...others] = network.members;
    const group = newGroup();
    await network.run(owner, manage.add(group, owner));
    const { contractAddress: contract } = await network.run(owner, { group, data: STORE });
    let members: FlexibleMember[] = [owner];
    let isLocked = false;
    let value = 0;
    const pick = <T>(from: readonly T[]) => from[below(from.length)] as T;
    const operations: Record<string, () => Promise<unknown>> = {
      async add() {
        const added = others.filter(() => below(2) === 0);
        if (added.length === 0) return;
        const { status } = await network.run(owner, manage.add(group, ...added));
        expect(status).toBe(isLocked ? "0x1" : "0x0");
        if (!isLocked) return;
        members = [...members, ...added.filter((member) => !members.includes(member))];
        isLocked = false;
      },
      async remove() {
        const removed = pick(others);
        const { status } = await network.run(owner, manage.remove(group, removed));
        expect(status).toBe(isLocked ? "0x0" : "0x1");
        if (!isLocked) members = members.filter((member) => member !== removed);
      },
      async lock() {
        const { status } = await network.run(owner, manage.lock(group));
        expect(status).toBe(isLocked ? "0x0" : "0x1");
        isLocked = true;
      },
      async unlock() {
        const { status } = await network.run(owner, manage.unlock(group));
        expect(status).toBe(isLocked ? "0x1" : "0x0");
        isLocked = false;
      },
      async store() {
        const next = 1 + below(1000);
        const from = pick(members);
        const { status } = await network.run(from, { group, to: contract, data: word(next) });
        expect(status).toBe(isLocked ? "0x0" : "0x1");
        if (!isLocked) value = next;
      },
      restart: () => pick(network.members).restart(),
    };
    operations.addLocked = async () => {
      if (!isLocked) await operations.lock?.();
      await operations.add?.();
    };
    operations.storeAgain = operations.store as () => Promise<void>;
    for (let step = 0; step < STEPS; step++) {
      await pick(Object.values(operations))();

      await agreement(network, group, members);
      const call = { to: contract, data: "0x" };
      for (const { rpc } of members) {
        expect(await rpc("priv_call", group, call, "latest").then(Number)).toBe(value);
      }
    }
  });
});
