import { createMemoryStorageDriver, type KeyValueStore, loadCrypto } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeCborPayload, encodeCborPayload } from "./codec/cbor-codec.js";
import { encodeLegacy } from "./codec/legacy-codec.js";
import { encodePartyInfo } from "./codec/party-info.js";
import { createKeyPair } from "./crypto/key-files.js";
import type { KeyPair } from "./crypto/key-pair.js";
import { hashOf, Sealer } from "./crypto/sealing.js";
import { loadSodium, type Sodium } from "./crypto/sodium.js";
import { encodeGroup, groupIdOf, type PrivacyGroup } from "./groups/privacy-group.js";
import { Manager, type ManagerSettings } from "./manager.js";
import type { Caller } from "./peers/caller.js";
import { type PeerLink, Unreachable } from "./peers/peer-link.js";

const VERSIONS = new Set(["2.1", "3.0", "4.0", "5.0", "v1", "v2"]);
const STRANGER = { address: "192.0.2.1" };
const PAYLOAD = new TextEncoder().encode("+QGM a private transaction");

let sodium: Sodium;
beforeAll(async () => {
  await loadCrypto();
  sodium = await loadSodium();
});

interface Member {
  readonly url: string;
  readonly key: Uint8Array;
  readonly pair: KeyPair;
  readonly store: KeyValueStore;
  manager: Manager;
}

/** Managers that reach each other without sockets, unless they are down. */
class MemoryNetwork {
  readonly clock = new FakeClock(1_000_000);
  readonly members = new Map<string, Member>();
  readonly down = new Set<string>();
  readonly posts: { readonly url: string; readonly path: string; readonly body: Uint8Array }[] = [];
  versions: ReadonlySet<string> = VERSIONS;
  answersPush = async (manager: Manager, body: Uint8Array, caller: Caller): Promise<Uint8Array> =>
    new TextEncoder().encode(toBase64(await manager.payloads.accept(body, caller)));

  /** The link of the manager at an address to the others. */
  link(own: string): PeerLink {
    const caller = { address: own };
    return {
      post: async (url, path, body) => {
        const member = this.members.get(url);
        if (member === undefined || this.down.has(url)) throw new Unreachable(url, "down");
        this.posts.push({ url, path, body });
        const from = { address: url };
        try {
          return { ...(await this.#answer(member.manager, path, body, caller)), from };
        } catch (error) {
          if (!(error instanceof EnclaveError)) throw error;
          return { status: error.status, body: new TextEncoder().encode(error.message), from };
        }
      },
    };
  }

  async #answer(manager: Manager, path: string, body: Uint8Array, caller: Caller) {
    if (path === "/partyinfo") {
      return { status: 200, body: await manager.discovery.accept(body, this.versions) };
    }
    if (path === "/partyinfo/validate") {
      return { status: 200, body: new TextEncoder().encode(manager.validate(body)) };
    }
    if (path === "/push") {
      return { status: 201, body: await this.answersPush(manager, body, caller) };
    }
    if (path === "/resend") {
      const { publicKey } = JSON.parse(Buffer.from(body).toString());
      await manager.payloads.resendAll(Buffer.from(publicKey, "base64"));
      return { status: 200, body: new Uint8Array() };
    }
    await manager.groups.accept(body, caller);
    return { status: 200, body: new Uint8Array() };
  }

  async add(name: string, more: Partial<ManagerSettings> = {}): Promise<Member> {
    const store = slowly(await createMemoryStorageDriver().open({ folder: "" }));
    const pair = createKeyPair(sodium);
    const url = `http://${name}.test/`;
    const manager = this.#create({ url, pair, store }, more);
    const member = { url, key: pair.publicKey, pair, store, manager };
    this.members.set(url, member);
    return member;
  }

  /** The same manager after a restart: only with its stored data. */
  restart(member: Member, more: Partial<ManagerSettings> = {}): void {
    member.manager.close();
    member.manager = this.#create(member, more);
  }

  #create(
    { url, pair, store }: Pick<Member, "url" | "pair" | "store">,
    more: Partial<ManagerSettings>,
  ) {
    return new Manager({
      sodium,
      store,
      clock: this.clock,
      log: silentLogs.for("enclave"),
      link: this.link(url),
      keys: [pair],
      url,
      peers: [...this.members.keys()],
      maxPayloadBytes: 100_000,
      ...more,
    });
  }

  async meet(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      for (const { url, manager } of this.members.values()) {
        if (!this.down.has(url)) await manager.discovery.announce();
      }
    }
  }
}

/** A store with delayed writes, as on a disk. */
function slowly(store: KeyValueStore): KeyValueStore {
  const batch = () => {
    const inner = store.batch();
    const commit = async (options?: { durable?: boolean }) => {
      await new Promise((resolve) => setImmediate(resolve));
      await inner.commit(options);
    };
    return { put: inner.put.bind(inner), delete: inner.delete.bind(inner), commit };
  };
  return {
    batch,
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
  };
}

async function threeManagers(more: Partial<ManagerSettings> = {}) {
  const network = new MemoryNetwork();
  const a = await network.add("a", more);
  const b = await network.add("b", more);
  const c = await network.add("c", more);
  await network.meet();
  return { network, a, b, c };
}

describe("a payload", () => {
  it.each([
    ["CBOR", VERSIONS],
    ["the older codec", new Set(["2.1", "3.0", "v1", "v2"])],
  ])("reaches only its recipients, as %s", async (_, versions) => {
    const network = new MemoryNetwork();
    network.versions = versions;
    const [a, b, c] = [await network.add("a"), await network.add("b"), await network.add("c")];
    await network.meet();

    const hash = await a.manager.payloads.send({ payload: PAYLOAD, from: a.key, to: [b.key] });

    for (const { manager, key } of [a, b]) {
      const { payload, senderKey, privacyGroupId } = manager.payloads.receive(hash, key);
      expect(payload).toEqual(PAYLOAD);
      expect(senderKey).toEqual(a.key);
      expect(privacyGroupId).toHaveLength(32);
      expect(manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
    }
    expect(() => c.manager.payloads.receive(hash)).toThrow(
      `Message with hash ${toBase64(hash)} was not found`,
    );
    const seen = network.posts.map(({ body }) => Buffer.from(body).toString("latin1")).join("");
    expect(seen).not.toContain("private transaction");
  });

  it("reaches the members of a group", async () => {
    const { a, b, c } = await threeManagers();
    const group = await b.manager.groups.create({ addresses: [a.key, b.key], from: b.key });
    const id = groupIdOf(group);

    const hash = await a.manager.payloads.send({ payload: PAYLOAD, privacyGroupId: id });

    expect(b.manager.payloads.receive(hash).privacyGroupId).toEqual(id);
    expect(() => c.manager.payloads.receive(hash)).toThrow("was not found");
  });

  it("cannot be decrypted with a key that is not one of its recipients, or not here", async () => {
    const { a, b, c } = await threeManagers();
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });

    expect(() => a.manager.payloads.receive(hash, b.key)).toThrow(
      `Public key ${toBase64(b.key)} not found when searching for private key`,
    );
    expect(() => a.manager.payloads.receive(hash, c.key)).toThrow(
      "recipient not found in listed keys",
    );
    const other = createKeyPair(sodium);
    const two = new Manager({
      sodium,
      store: b.store,
      clock: new FakeClock(0),
      log: silentLogs.for("enclave"),
      link: { post: async (url) => Promise.reject(new Unreachable(url, "none")) },
      keys: [other, b.pair],
      url: b.url,
      peers: [c.url],
      maxPayloadBytes: 1,
    });
    expect(() => two.payloads.receive(hash, other.publicKey)).toThrow(
      "recipient not found in listed keys",
    );
  });

  it("reaches two keys of one manager", async () => {
    const network = new MemoryNetwork();
    const a = await network.add("a");
    const keys = [createKeyPair(sodium), createKeyPair(sodium)] as const;
    const b = await network.add("b", { keys });
    await network.meet();
    const to = keys.map(({ publicKey }) => publicKey);

    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to });

    for (const key of to) expect(b.manager.payloads.receive(hash, key).payload).toEqual(PAYLOAD);
  });

  it("is rejected if it is too large, with nothing stored", async () => {
    const { network, a, b } = await threeManagers();
    const before = network.posts.length;

    await expect(
      a.manager.payloads.send({ payload: new Uint8Array(100_001), to: [b.key] }),
    ).rejects.toMatchObject({ status: 413 });

    expect(network.posts).toHaveLength(before);
  });

  it("is rejected if a recipient is unknown, with nothing pushed", async () => {
    const { network, a, b } = await threeManagers();
    const stranger = createKeyPair(sodium).publicKey;
    const before = network.posts.length;

    await expect(
      a.manager.payloads.send({ payload: PAYLOAD, to: [b.key, stranger] }),
    ).rejects.toMatchObject({
      status: 404,
      message: `Recipient not found for key: ${toBase64(stranger)}`,
    });

    expect(network.posts).toHaveLength(before);
  });

  it("fails if a recipient is down, which is forgotten until it is back", async () => {
    const { network, a, c } = await threeManagers();
    network.down.add(c.url);
    const send = () => a.manager.payloads.send({ payload: PAYLOAD, to: [c.key] });

    await expect(send()).rejects.toMatchObject({
      status: 410,
      message: `Connection error while communicating with ${c.url}`,
    });
    await expect(send()).rejects.toMatchObject({ status: 404 });
    network.down.delete(c.url);
    await network.meet();
    await expect(send()).resolves.toHaveLength(32);
  });

  it("reaches a recipient whose manager does not support groups, unlike a group", async () => {
    const network = new MemoryNetwork();
    network.versions = new Set(["2.1", "v1"]);
    const [a, b] = [await network.add("a"), await network.add("b")];
    await network.meet();

    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });

    expect(b.manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
    const name = toBase64(b.key);
    await expect(a.manager.groups.create({ addresses: [a.key, b.key] })).rejects.toMatchObject({
      status: 403,
      message: `Transactions with privacy group is not currently supported on recipient ${name}`,
    });
  });
});

describe("a pushed payload", () => {
  it("twice is stored once", async () => {
    const { network, a, b } = await threeManagers();
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const push = network.posts.find(({ path }) => path === "/push");
    if (push === undefined) throw new Error("nothing was pushed");

    expect(await b.manager.payloads.accept(push.body, STRANGER)).toEqual(hash);
    expect(b.manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
  });

  it("is rejected by a manager that is not a recipient", async () => {
    const { network, a, b, c } = await threeManagers();
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const push = network.posts.find(({ path }) => path === "/push");

    await expect(c.manager.payloads.accept(push?.body ?? PAYLOAD, STRANGER)).rejects.toMatchObject({
      status: 400,
    });
    expect(() => c.manager.payloads.receive(hash)).toThrow("was not found");
  });

  it("returns to a manager that lost it and asks for it, from recipients and from senders", async () => {
    const { network, a, b, c } = await threeManagers();
    const sent = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key, c.key] });
    const toOne = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const received = await b.manager.payloads.send({ payload: PAYLOAD, to: [a.key] });
    const others = await b.manager.payloads.send({ payload: PAYLOAD, to: [c.key] });
    const lost = await network.add("a", { keys: [a.pair] });
    await network.meet();

    expect(await lost.manager.resends.ask()).toEqual([{ url: b.url }, { url: c.url }]);

    for (const hash of [sent, toOne, received]) {
      expect(lost.manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
      expect(lost.manager.payloads.receive(hash, a.key).payload).toEqual(PAYLOAD);
    }
    expect(lost.manager.payloads.findFor(sent, c.key)).toBeDefined();
    expect(() => lost.manager.payloads.receive(others)).toThrow("was not found");
  });

  it("is set aside until all members of a lost group have returned it", async () => {
    const { network, a, b, c } = await threeManagers();
    const sent = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key, c.key] });
    const lost = await network.add("a", { keys: [a.pair] });
    await network.meet();
    network.down.add(c.url);

    const outcomes = await lost.manager.resends.ask();
    expect(outcomes).toMatchObject([{ url: b.url }, { url: c.url, problem: /Connection error/ }]);
    expect(() => lost.manager.payloads.receive(sent)).toThrow("was not found");
    expect((await lost.manager.status()).aside).toBe(1);

    network.restart(lost, { keys: [a.pair] });
    network.down.delete(c.url);
    await network.meet();
    expect(await lost.manager.resend()).toMatchObject({ aside: 0 });
    expect(lost.manager.payloads.receive(sent).payload).toEqual(PAYLOAD);
  });

  it("is complete when its members return it at the same time", async () => {
    const { network, a, b, c } = await threeManagers();
    const sent = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key, c.key] });
    const lost = await network.add("a", { keys: [a.pair] });
    await network.meet();
    network.down.add(b.url).add(c.url);
    await lost.manager.resends.ask();
    network.down.clear();
    await network.meet();

    await Promise.all([b, c].map(({ manager }) => manager.payloads.resendAll(a.key)));

    expect(lost.manager.payloads.receive(sent).payload).toEqual(PAYLOAD);
  });

  it("is not accepted back unless this manager has asked for it", async () => {
    const { network, a, b } = await threeManagers();
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const lost = await network.add("a", { keys: [a.pair] });
    await network.meet();

    await expect(b.manager.payloads.resendAll(a.key)).rejects.toMatchObject({ status: 500 });

    expect(() => lost.manager.payloads.receive(hash)).toThrow("was not found");
  });

  it("is not pushed to the manager itself if one of its own keys is named", async () => {
    const { network, a, b } = await threeManagers();
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const before = network.posts.length;

    await a.manager.payloads.resendAll(a.key);

    expect(network.posts).toHaveLength(before);
  });

  it("cannot be altered, truncated or extended", async () => {
    const { network, a, b } = await threeManagers();
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const { body } = network.posts.findLast(({ path }) => path === "/push") ?? { body: PAYLOAD };
    const fresh = await network.add("b2", { keys: [b.pair] });
    for (let at = 0; at < body.length; at++) {
      const changed = body.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      const accepted = await fresh.manager.payloads.accept(changed, STRANGER).catch((error) => {
        expect(error).toBeInstanceOf(EnclaveError);
        return undefined;
      });
      // Only bytes outside the tag may differ: here the group id.
      if (accepted !== undefined) {
        expect(fresh.manager.payloads.receive(accepted).payload).toEqual(PAYLOAD);
      }
      await expect(
        fresh.manager.payloads.accept(body.slice(0, at), STRANGER),
      ).rejects.toBeInstanceOf(EnclaveError);
    }
  });
});

describe("groups", () => {
  it("are found by their members on every member's manager", async () => {
    const { a, b, c } = await threeManagers();
    const order = { addresses: [a.key, b.key], from: a.key, name: "two", description: "of three" };
    const group = await a.manager.groups.create(order);
    const id = groupIdOf(group);

    for (const { manager } of [a, b]) {
      expect(await manager.groups.find([b.key, a.key])).toEqual([group]);
      expect(manager.groups.get(id)).toEqual(group);
    }
    expect(await c.manager.groups.find([a.key, b.key])).toEqual([]);
    expect(() => c.manager.groups.get(id)).toThrow(`Privacy group Id[${toBase64(id)}] not found`);
  });

  it("are distinct if created twice, and can be deleted separately", async () => {
    const { a, b, c } = await threeManagers();
    const order = { addresses: [a.key, b.key], from: a.key };
    const [one, two] = [await a.manager.groups.create(order), await a.manager.groups.create(order)];

    await expect(a.manager.groups.delete(groupIdOf(one), c.key)).rejects.toMatchObject({
      status: 403,
    });
    await b.manager.groups.delete(groupIdOf(one), b.key);

    expect(await a.manager.groups.find(order.addresses)).toEqual([two]);
    await expect(a.manager.groups.delete(groupIdOf(one), a.key)).rejects.toMatchObject({
      status: 404,
    });
  });

  it("must include their creator", async () => {
    const { a, b, c } = await threeManagers();

    await expect(
      a.manager.groups.create({ addresses: [b.key, c.key], from: a.key }),
    ).rejects.toMatchObject({
      status: 403,
      message: "The list of members in a privacy group should include self",
    });
  });

  it("are not stored if a member is unreachable", async () => {
    const { network, a, c } = await threeManagers();
    network.down.add(c.url);

    await expect(
      a.manager.groups.create({ addresses: [a.key, c.key], from: a.key }),
    ).rejects.toMatchObject({ status: 410 });

    expect(await a.manager.groups.find([a.key, c.key])).toEqual([]);
  });

  it("of a transaction exist once it was sent", async () => {
    const { a, b } = await threeManagers();
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });

    const found = await a.manager.groups.find([a.key, b.key]);

    expect(found).toMatchObject([{ name: "legacy", type: "LEGACY" }]);
    expect(await b.manager.groups.find([a.key, b.key])).toEqual([]);
  });

  it("of a transaction stay deleted when another is sent", async () => {
    const { a, b } = await threeManagers();
    const send = () => a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const { privacyGroupId = new Uint8Array() } = a.manager.payloads.receive(await send());
    await a.manager.groups.delete(privacyGroupId);

    const hash = await send();

    expect(b.manager.payloads.receive(hash).privacyGroupId).toEqual(privacyGroupId);
    expect(await a.manager.groups.find([a.key, b.key])).toEqual([]);
  });

  it("are created and deleted by the first key by default", async () => {
    const { a, b } = await threeManagers();

    const group = await a.manager.groups.create({ addresses: [a.key, b.key] });
    await a.manager.groups.delete(groupIdOf(group));

    expect(await b.manager.groups.find([a.key, b.key])).toEqual([]);
  });

  it("with a used seed are rejected, with nothing pushed", async () => {
    const { network, a, b } = await threeManagers();
    const order = { addresses: [a.key, b.key], seed: new Uint8Array(20) };
    const group = await a.manager.groups.create(order);
    const before = network.posts.length;

    await expect(a.manager.groups.create({ ...order, name: "other" })).rejects.toMatchObject({
      status: 500,
      message: `Privacy group Id[${toBase64(groupIdOf(group))}] exists already`,
    });

    expect(network.posts).toHaveLength(before);
    expect(await a.manager.groups.find(order.addresses)).toEqual([group]);
  });
});

describe("a pushed group", () => {
  async function pushed() {
    const { a, b } = await threeManagers();
    const group: PrivacyGroup = {
      name: "pushed",
      description: "",
      members: [a.key, b.key],
      seed: new Uint8Array(20),
      type: "PANTHEON",
      state: "ACTIVE",
    };
    const push = (more: Partial<PrivacyGroup> = {}, caller: Caller = { address: b.url }) =>
      a.manager.groups.accept(encodeGroup({ ...group, ...more }), caller);
    const find = () => a.manager.groups.find(group.members);
    return { group, push, find, manager: a.manager };
  }

  it("is the same when pushed again, once for each key of this manager", async () => {
    const { group, push, find } = await pushed();
    await push();
    await push();
    expect(await find()).toEqual([group]);
  });

  it("is not changed by a second push", async () => {
    const { group, push, find } = await pushed();
    await push();
    await expect(push({ name: "renamed" })).rejects.toMatchObject({ status: 500 });
    expect(await find()).toEqual([group]);
  });

  it("is not restored once it was deleted", async () => {
    const { push, find } = await pushed();
    await push();
    await push({ state: "DELETED" });
    await expect(push()).rejects.toMatchObject({ status: 500 });
    expect(await find()).toEqual([]);
  });

  it("is deleted only by the manager of a member; other attempts are recorded", async () => {
    const { group, push, find, manager } = await pushed();
    await push();

    await expect(push({ state: "DELETED" }, STRANGER)).rejects.toMatchObject({
      status: 403,
      message: "the group is not deleted: the caller has not proven to hold the key of a member",
    });

    expect(await find()).toEqual([group]);
    expect((await manager.status()).refusedDeletions).toMatchObject([
      { privacyGroupId: toBase64(groupIdOf(group)), from: STRANGER.address },
    ]);
    await push({ state: "DELETED" });
    expect(await find()).toEqual([]);
  });

  it("is not deleted if it follows from its members", async () => {
    const { network, a, b } = await threeManagers();
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const [group] = await a.manager.groups.find([a.key, b.key]);
    if (group === undefined) throw new Error("there is no such group");

    const message = encodeGroup({ ...group, state: "DELETED" });
    await network.link(b.url).post(a.url, "/pushPrivacyGroup", message);

    expect(await a.manager.groups.find([a.key, b.key])).toEqual([group]);
    expect((await a.manager.status()).refusedDeletions).toHaveLength(1);
  });

  it("leaves capacity for others, regardless of how many a stranger creates", async () => {
    const { push, find } = await pushed();
    const strangers = Array.from({ length: 12 }, (_, index) => ({ address: `192.0.2.${index}` }));
    let taken = 0;
    for (const [at, stranger] of strangers.entries()) {
      for (let index = 0; index < 101; index++) {
        const seed = Buffer.from(`${at} ${index}`);
        await push({ seed }, stranger).then(
          () => (taken += 1),
          (error) => expect(error).toMatchObject({ status: 503 }),
        );
      }
    }
    expect(taken).toBe(1000);

    await push();

    expect(await find()).toHaveLength(1001);
  });

  it("as deleted is ignored if it was never known", async () => {
    const { group, push, find } = await pushed();
    await push({ state: "DELETED" });
    await push();
    expect(await find()).toEqual([group]);
  });
});

describe("a manager that lies about its keys", () => {
  it("is not trusted", async () => {
    const { network, a, b } = await threeManagers();
    const liar = createKeyPair(sodium);
    const d = await network.add("d", { keys: [liar] });
    // It claims the key of b.
    const recipients = [b.key, a.key].map((key) => ({ key, url: d.url }));
    const info = encodePartyInfo({ url: d.url, recipients, parties: [] });

    await expect(a.manager.discovery.accept(info, VERSIONS)).rejects.toMatchObject({ status: 500 });

    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    expect(b.manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
    expect(() => d.manager.payloads.receive(hash)).toThrow("was not found");
  });
});

describe("re-delivery", () => {
  it("delivers everything to a recipient that was down, including across restarts", async () => {
    const { network, a, b, c } = await threeManagers({ redelivers: true });
    network.down.add(c.url);
    const hashes: Uint8Array[] = [];
    for (let index = 0; index < 5; index++) {
      const payload = new TextEncoder().encode(`payload ${index}`);
      hashes.push(await a.manager.payloads.send({ payload, to: [b.key, c.key] }));
    }
    const { undelivered } = await a.manager.status();
    expect(undelivered).toMatchObject([{ recipient: toBase64(c.key), count: 5 }]);
    expect(undelivered[0]?.reason).toContain(toBase64(c.key));

    network.restart(a, { redelivers: true });
    network.down.delete(c.url);
    await network.meet();
    await expect.poll(async () => (await a.manager.status()).undelivered).toEqual([]);

    for (const [index, hash] of hashes.entries()) {
      const text = new TextDecoder().decode(c.manager.payloads.receive(hash).payload);
      expect(text).toBe(`payload ${index}`);
    }
  });

  it("still fails for a recipient that was never known", async () => {
    const { a } = await threeManagers({ redelivers: true });

    await expect(
      a.manager.payloads.send({ payload: PAYLOAD, to: [createKeyPair(sodium).publicKey] }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe("a stranger", () => {
  const push = (network: MemoryNetwork) => {
    const { body } = network.posts.findLast(({ path }) => path === "/push") ?? { body: PAYLOAD };
    return decodeCborPayload(body);
  };

  it("cannot stall a manager with many boxes", async () => {
    const { network, a, b } = await threeManagers();
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const [box = PAYLOAD] = push(network).recipientBoxes;
    const many = { ...push(network), recipientBoxes: Array(2000).fill(box) };
    const recipientKeys = Array.from({ length: 2000 }, () => sodium.randombytes_buf(32));

    for (const encode of [encodeLegacy, encodeCborPayload]) {
      await expect(
        b.manager.payloads.accept(encode({ ...many, recipientKeys }), STRANGER),
      ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("at most 1024") });
    }
    const two = { ...push(network), recipientBoxes: [box, box], recipientKeys: [b.key, b.key] };
    expect(() => b.manager.validate(encodeLegacy(two))).toThrow("expected a UUID");
  });

  it("cannot impersonate a manager in a group of others", async () => {
    const { network, a, b, c } = await threeManagers();
    const { group } = a.manager.groups.legacy(a.key, [b.key]);
    const lost = await network.add("a", { keys: [a.pair] });
    await network.meet();
    // The key that it shares with a is the same from both sides.
    const sealed = new Sealer(sodium).seal(PAYLOAD, {
      sender: c.pair,
      recipients: [a.key],
      privacyGroupId: groupIdOf(group),
    });
    const forged = { ...sealed, senderKey: a.key, recipientKeys: [c.key] };
    const push = (caller: Caller) => lost.manager.payloads.accept(encodeLegacy(forged), caller);

    await expect(push({ address: c.url })).rejects.toMatchObject({ status: 400 });
    // Nor when payloads are returned, neither as any caller nor as one that was asked.
    await lost.manager.resends.ask();
    const waiting = expect(push(STRANGER)).rejects.toMatchObject({ status: 400 });
    await push({ address: c.url });

    expect(() => lost.manager.payloads.receive(hashOf(forged))).toThrow("was not found");
    await network.clock.advance(60_001);
    await waiting;
    expect(() => lost.manager.payloads.receive(hashOf(forged))).toThrow("was not found");
  });

  it("cannot add boxes to a payload that do not open", async () => {
    const { network, a, b } = await threeManagers();
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const junk = {
      recipientBoxes: [sodium.randombytes_buf(48)],
      recipientKeys: [new Uint8Array(32)],
    };

    for (const { manager } of [a, b]) {
      const forged = encodeLegacy({ ...push(network), ...junk });
      await expect(manager.payloads.accept(forged, STRANGER)).rejects.toMatchObject({
        status: 400,
      });
      expect(manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
    }
  });

  it("cannot take over a key by relaying the challenge", async () => {
    const { network, a, b } = await threeManagers();
    const d = await network.add("d");
    const answer = d.manager.validate.bind(d.manager);
    d.manager.validate = (bytes) => {
      try {
        return answer(bytes);
      } catch {
        return b.manager.validate(bytes);
      }
    };
    const info = encodePartyInfo({
      url: d.url,
      recipients: [{ key: b.key, url: d.url }],
      parties: [],
    });

    await expect(a.manager.discovery.accept(info, VERSIONS)).rejects.toMatchObject({ status: 500 });

    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    expect(b.manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
  });

  it("cannot cut a manager off by impersonating it", async () => {
    const { a, b } = await threeManagers();
    const nothing = encodePartyInfo({ url: b.url, recipients: [], parties: [] });
    const recipients = [{ key: b.key, url: b.url }];
    const less = encodePartyInfo({ url: b.url, recipients, parties: [] });

    await a.manager.discovery.accept(nothing, new Set());
    await a.manager.discovery.accept(less, new Set());

    await a.manager.groups.create({ addresses: [a.key, b.key], from: a.key });
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    expect(b.manager.payloads.receive(hash).payload).toEqual(PAYLOAD);
  });

  it("cannot fill the list of managers, nor keep addresses being called forever", async () => {
    const { network, a } = await threeManagers({ validatesKeys: false });
    const parties = Array.from({ length: 1000 }, (_, index) => `http://p${index}.test/`);
    const other = createKeyPair(sodium).publicKey;
    const url = "http://d.test/";
    const info = encodePartyInfo({ url, recipients: [{ key: other, url }], parties });
    await a.manager.discovery.accept(info, VERSIONS);
    expect(a.manager.peerUrls().length).toBe(1000);
    const next = { url: "http://e.test/", recipients: [{ key: other, url: "http://e.test/" }] };
    await network.clock.advance(20_000);

    await expect(
      a.manager.discovery.accept(encodePartyInfo({ ...next, parties: [] }), VERSIONS),
    ).rejects.toMatchObject({ status: 503 });
    await network.clock.advance(61_000);
    await a.manager.discovery.announce();
    expect(a.manager.peerUrls().length).toBeLessThan(5);
  });

  it("cannot have a group stored that has no member here, or that imitates another", async () => {
    const { a, b } = await threeManagers();
    const strangers = [createKeyPair(sodium).publicKey, createKeyPair(sodium).publicKey];
    const group = {
      name: "",
      description: "",
      members: [a.key],
      seed: new Uint8Array(20),
      type: "PANTHEON",
      state: "ACTIVE",
    } as const;

    for (const [bad, problem] of [
      [{ ...group, members: strangers }, "members"],
      // Its id would collide with that of the transactions between a and b.
      [{ ...group, seed: b.key }, "seed"],
      [{ ...group, type: "RESIDENT" }, "type"],
      [{ ...group, name: "x".repeat(1001) }, "name"],
    ] as const) {
      await expect(a.manager.groups.accept(encodeGroup(bad), STRANGER)).rejects.toThrow(problem);
    }
  });

  it("cannot drain the queue of a recipient by responding without the hash", async () => {
    const { network, a, c } = await threeManagers({ redelivers: true });
    network.answersPush = async () => new Uint8Array();

    await a.manager.payloads.send({ payload: PAYLOAD, to: [c.key] });

    expect((await a.manager.status()).undelivered).toMatchObject([{ count: 1 }]);
  });
});
