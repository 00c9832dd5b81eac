import { legacyGroupId, toBase64 } from "@plinth/kit-enclave";
import {
  encodeGroup,
  encodeLegacy,
  groupIdOf,
  loadSodium,
  type PrivacyGroup,
  Sealer,
} from "@plinth/plugin-enclave/api";
import { describe, expect, it } from "vitest";
import { loseAll, type MemberSite, openSites } from "../support/member-sites.js";

const OUTSIDE = { address: "192.0.2.1" };
const PAYLOAD = Buffer.from("a private transaction");
const ASK = "/plinth/group";

async function createGroup(...members: readonly MemberSite[]): Promise<PrivacyGroup> {
  const [maker] = members;
  if (maker === undefined) throw new Error("a group needs a member");
  return maker.manager.groups.create({ addresses: members.map(({ key }) => key), name: "ours" });
}

function question(id: Uint8Array): Uint8Array {
  return Buffer.from(JSON.stringify({ privacyGroupId: toBase64(id) }));
}

const countAsked = (asked: readonly { readonly path: string }[]) =>
  asked.filter(({ path }) => path === ASK).length;

describe("a group that a manager has lost", () => {
  it("is restored from a member for the node, and stays from then on", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    const group = await createGroup(a, b);
    const fresh = await loseAll(network, b);
    const id = groupIdOf(group);

    const found = await fresh.client.recoverGroup(id, a.key);

    expect(found).toEqual({
      privacyGroupId: toBase64(id),
      name: "ours",
      description: "",
      type: "PANTHEON",
      members: [a.key, b.key].map(toBase64),
    });
    expect(await fresh.manager.groups.find([a.key, b.key])).toEqual([group]);
    expect((await fresh.manager.status()).groups).toBe(1);
  });

  it("is restored from another member if the manager of the sender is silent", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const group = await createGroup(a, b, c);
    const fresh = await loseAll(network, b);
    network.down.add(a.url);

    expect(await fresh.manager.lostGroups.recover(groupIdOf(group), a.key)).toEqual(group);
  });

  it("is restored with the first payload that references it, without the node", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    const privacyGroupId = groupIdOf(await createGroup(a, b));
    const fresh = await loseAll(network, b);

    await a.manager.payloads.send({ payload: PAYLOAD, privacyGroupId });
    await network.clock.advance(1000);

    expect(await fresh.manager.groups.find([a.key, b.key])).toHaveLength(1);
    expect((await fresh.manager.status()).unknownGroups).toEqual([]);
    await fresh.manager.payloads.send({ payload: PAYLOAD, privacyGroupId });
  });

  it("is restored with the payloads that are sent again", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    for (let count = 0; count < 5; count++) {
      const privacyGroupId = groupIdOf(await createGroup(a, b));
      await a.manager.payloads.send({ payload: PAYLOAD, privacyGroupId });
    }
    const own = await b.manager.payloads.send({ payload: PAYLOAD, to: [a.key] });
    const fresh = await loseAll(network, b);

    await fresh.manager.resends.ask();
    await network.clock.advance(2000);

    const groups = await fresh.manager.groups.find([a.key, b.key]);
    expect(groups.map(({ type }) => type).sort()).toEqual(["LEGACY", ...Array(5).fill("PANTHEON")]);
    expect(fresh.manager.payloads.receive(own).payload).toEqual(new Uint8Array(PAYLOAD));
  });

  it("is restored with a payload that was sent from here, which is readable then", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const group = await createGroup(a, b, c);
    const privacyGroupId = groupIdOf(group);
    const hash = await b.manager.payloads.send({ payload: PAYLOAD, privacyGroupId });
    const fresh = await loseAll(network, b);

    await fresh.manager.resends.ask();
    await network.clock.advance(1000);

    expect(fresh.manager.groups.get(privacyGroupId)).toEqual(group);
    expect(fresh.manager.payloads.receive(hash).payload).toEqual(new Uint8Array(PAYLOAD));
    expect((await fresh.manager.status()).unknownGroups).toEqual([]);
    // Others that lose it get it from here.
    const freshA = await loseAll(network, a);
    expect(await freshA.client.findLost([hash])).toMatchObject({ lost: [toBase64(hash)] });
    await fresh.manager.payloads.resendAll(a.key);
    expect(freshA.manager.payloads.receive(hash).payload).toEqual(new Uint8Array(PAYLOAD));
  });

  it("makes other managers receive no more than four group requests per second", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    for (let count = 0; count < 50; count++) {
      const privacyGroupId = Buffer.alloc(32, count);
      const sealed = new Sealer(await loadSodium()).seal(PAYLOAD, {
        sender: a.pair,
        recipients: [b.key],
        privacyGroupId,
      });
      await b.manager.payloads.accept(encodeLegacy(sealed), OUTSIDE);
    }

    await network.clock.advance(1000);
    expect(countAsked(network.asked)).toBe(4 * 2);
    await network.clock.advance(1000);
    expect(countAsked(network.asked)).toBe(8 * 2);
    b.manager.close();
    await network.clock.advance(60_000);
    expect(countAsked(network.asked)).toBe(8 * 2);
  });

  it("is counted with its payloads while no one has it", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    const privacyGroupId = groupIdOf(await createGroup(a, b));
    const fresh = await loseAll(network, b);
    network.lies.set(a.url, async (path) =>
      path === ASK ? { status: 404, body: Buffer.from("HTTP 404 Not Found") } : undefined,
    );

    const since = network.clock.now();
    for (let count = 0; count < 3; count++) {
      await a.manager.payloads.send({ payload: PAYLOAD, privacyGroupId });
      await network.clock.advance(1000);
    }

    expect((await fresh.manager.status()).unknownGroups).toEqual([
      {
        privacyGroupId: toBase64(privacyGroupId),
        payloads: 3,
        from: toBase64(a.key),
        since,
      },
    ]);
    expect(fresh.manager.figures().unknownGroups).toBe(1);
  });

  it("is requested at most every 5 s, however many payloads reference it", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    const privacyGroupId = groupIdOf(await createGroup(a, b));
    const fresh = await loseAll(network, b);
    network.lies.set(a.url, async (path) =>
      path === ASK ? { status: 403, body: new Uint8Array() } : undefined,
    );
    const send = async () => {
      for (let count = 0; count < 5; count++) {
        await a.manager.payloads.send({ payload: PAYLOAD, privacyGroupId });
        expect(await fresh.client.recoverGroup(privacyGroupId, a.key)).toBeUndefined();
      }
    };

    await send();
    await network.clock.advance(4999);
    // The managers of a and of c, each of them once.
    expect(countAsked(network.asked)).toBe(2);
    await network.clock.advance(1);
    await send();
    expect(countAsked(network.asked)).toBe(4);
  });

  it("is not restored if it was deleted here", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    const id = groupIdOf(await createGroup(a, b));
    const backup = a.manager.groups.get(id);
    await b.manager.groups.delete(id, b.key);
    network.lies.set(a.url, async (path) =>
      path === ASK ? { status: 200, body: encodeGroup(backup) } : undefined,
    );

    expect(await b.client.recoverGroup(id, a.key)).toBeUndefined();
    expect(countAsked(network.asked)).toBe(0);
  });

  it("is returned only to managers that request a payload of a member", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const id = groupIdOf(await createGroup(a, b));
    const fresh = await loseAll(network, b);

    expect(await fresh.client.recoverGroup(id, c.key)).toBeUndefined();
    expect(await fresh.client.recoverGroup(id, a.key)).toMatchObject({ type: "PANTHEON" });
  });

  it("of three parties is restored from the sender, and no node finds it", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const id = legacyGroupId([a.key, b.key, c.key]);

    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key, c.key] });
    await network.clock.advance(1000);

    expect((await b.manager.status()).unknownGroups).toEqual([]);
    expect(await b.client.recoverGroup(id, a.key)).toMatchObject({ type: "LEGACY" });
    expect(await b.manager.groups.find([a.key, b.key, c.key])).toEqual([]);
  });

  it("of two parties is known without a request, and no node finds it", async () => {
    const { network, sites } = await openSites("a", "b");
    const [a, b] = sites;

    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });

    expect(await b.client.recoverGroup(legacyGroupId([a.key, b.key]), a.key)).toMatchObject({
      members: [a.key, b.key].map(toBase64),
    });
    expect(await b.manager.groups.find([a.key, b.key])).toEqual([]);
    expect(countAsked(network.asked)).toBe(0);
  });
});

describe("a group that payloads may belong to", () => {
  it("is known if it follows from what others sent, and if it was deleted", async () => {
    const { sites } = await openSites("a", "b");
    const [a, b] = sites;
    const created = groupIdOf(await createGroup(a, b));
    const legacy = legacyGroupId([a.key, b.key]);
    await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    await a.manager.groups.delete(created, a.key);

    for (const id of [created, legacy]) {
      await expect(b.client.retrieveGroup(toBase64(id))).rejects.toMatchObject({ status: 404 });
      expect(await b.client.findGroupEver(id)).toMatchObject({
        members: [a.key, b.key].map(toBase64),
      });
    }
    expect(await b.client.findGroupEver(new Uint8Array(32))).toBeUndefined();
  });
});

describe("a manager that lies about a group", () => {
  it.each<[string, (group: PrivacyGroup, other: PrivacyGroup) => Uint8Array]>([
    ["another group", (_, other) => encodeGroup(other)],
    ["another seed", (group) => encodeGroup({ ...group, seed: new Uint8Array(20) })],
    ["fewer members", (group) => encodeGroup({ ...group, members: group.members.slice(0, 1) })],
    ["that it is deleted", (group) => encodeGroup({ ...group, state: "DELETED" })],
    ["a kind that has no groups", (group) => encodeGroup({ ...group, type: "RESIDENT" })],
    ["a text of a megabyte", (group) => encodeGroup({ ...group, name: "x".repeat(1_000_000) })],
    ["half of it", (group) => encodeGroup(group).slice(0, 100)],
    ["nothing", () => new Uint8Array()],
  ])("is not believed: %s", async (_, lie) => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b] = sites;
    const group = await createGroup(a, b);
    const other = await createGroup(a, b);
    const fresh = await loseAll(network, b);
    network.lies.set(a.url, async (path) =>
      path === ASK ? { status: 200, body: lie(group, other) } : undefined,
    );

    expect(await fresh.client.recoverGroup(groupIdOf(group), a.key)).toBeUndefined();

    expect(await fresh.manager.groups.find([a.key, b.key])).toEqual([]);
    expect(fresh.manager.groups.isKnown(groupIdOf(group))).toBe(false);
  });

  it("provides no group without a key of this manager, nor one without a key of its own", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const theirs = await createGroup(a, c);
    const ours = await createGroup(a, b);
    const fresh = await loseAll(network, b);
    network.down.add(a.url);
    for (const group of [theirs, ours]) {
      network.lies.set(c.url, async (path) =>
        path === ASK ? { status: 200, body: encodeGroup(group) } : undefined,
      );

      expect(await fresh.client.recoverGroup(groupIdOf(group), a.key)).toBeUndefined();
      expect(fresh.manager.groups.isKnown(groupIdOf(group))).toBe(false);
    }
  });
});

describe("a group is not returned", () => {
  it.each([
    ["an outsider", () => OUTSIDE],
    ["the manager of a member of another group", (c: MemberSite) => ({ address: c.url })],
  ])("to %s, who does not learn whether it exists here", async (_, callerOf) => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const id = groupIdOf(await createGroup(a, b));
    await createGroup(a, c);
    const caller = callerOf(c);

    const here = await network.post(a.url, ASK, question(id), caller);
    const nowhere = await network.post(a.url, ASK, question(new Uint8Array(32)), caller);

    expect(here.status).toBe(403);
    expect(nowhere).toEqual(here);
    const member = await network.post(a.url, ASK, question(id), { address: b.url });
    expect(member.status).toBe(200);
  });

  it("once it was deleted", async () => {
    const { network, sites } = await openSites("a", "b");
    const [a, b] = sites;
    const id = groupIdOf(await createGroup(a, b));
    await a.manager.groups.delete(id, a.key);

    const answer = await network.post(a.url, ASK, question(id), { address: b.url });

    expect(answer.status).toBe(403);
  });

  it.each(["{}", "[]", '{"privacyGroupId":"AA=="}', "x".repeat(1025)])(
    "for the request %j",
    async (text) => {
      const { network, sites } = await openSites("a", "b");
      const [a, b] = sites;

      const { status } = await network.post(a.url, ASK, Buffer.from(text), { address: b.url });

      expect([400, 413]).toContain(status);
    },
  );
});
