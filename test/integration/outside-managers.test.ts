import { createMemoryStorageDriver, type KeyValueStore, loadCrypto } from "@plinth/core";
import { type EnclaveClient, EnclaveError, legacyGroupId, toBase64 } from "@plinth/kit-enclave";
import {
  type Caller,
  createKeyPair,
  decodeGroup,
  type EncodedPayload,
  encodeCborPayload,
  encodeGroup,
  encodeLegacy,
  encodePartyInfo,
  forRecipient,
  groupIdOf,
  type KeyPair,
  loadSodium,
  type Manager,
  type PrivacyGroup,
  Sealer,
} from "@plinth/plugin-enclave/api";
import { beforeAll, expect, it } from "vitest";
import { MemoryManagers } from "../support/memory-managers.js";
import { createDice, cut, flip, insert } from "../support/mutate.js";

/** `npm run long -- fuzz-enclave` sends a million. */
const MESSAGES = Number(process.env.PLINTH_ENCLAVE_MESSAGES ?? 1_500);
const SEED = Number(process.env.PLINTH_ENCLAVE_SEED ?? 1);
const VERSIONS = new Set(["3.0", "5.0"]);
const SECRET = "nothing of this may come out";
const URLS = {
  member: "http://127.0.0.1:1/",
  other: "http://127.0.0.1:2/",
  liar: "http://127.0.0.1:3/",
} as const;
/** Revealed only to the managers of members. */
const MEMBERS_ONLY = ["/plinth/group", "/plinth/sent", "/plinth/state"] as const;
const OUTSIDE: Caller = { address: "192.0.2.1" };

let sodium: Awaited<ReturnType<typeof loadSodium>>;
beforeAll(async () => {
  await loadCrypto();
  sodium = await loadSodium();
});

interface Site {
  readonly url: string;
  readonly pair: KeyPair;
  readonly store: KeyValueStore;
  readonly manager: Manager;
}

async function addSite(network: MemoryManagers, url: string): Promise<Site> {
  const pair = createKeyPair(sodium);
  const store = await createMemoryStorageDriver().open({ folder: "" });
  return { url, pair, store, manager: await network.add(url, pair, { store }) };
}

/**
 * Three managers: two have a group and payloads that the third is not part of.
 *
 * The third has a group with each of the others, and lies; so does an external caller with its own
 * keys.
 */
async function openSites() {
  const network = new MemoryManagers(sodium);
  const member = await addSite(network, URLS.member);
  const other = await addSite(network, URLS.other);
  const liar = await addSite(network, URLS.liar);
  await network.meet();
  const keys = [member, other, liar].map(({ pair }) => pair.publicKey);
  const create = (of: readonly Site[]) =>
    member.manager.groups.create({ addresses: of.map(({ pair }) => pair.publicKey) });
  const groups = [await create([member, other]), await create([member, liar])];
  // The liar may delete its groups; this one stays, so that questions about it continue.
  const shared = await create([member, liar]);
  const payload = Buffer.from(SECRET);
  const hashes = [
    await member.manager.payloads.send({ payload, to: [other.pair.publicKey] }),
    await other.manager.payloads.send({ payload, to: [member.pair.publicKey] }),
  ];
  return { network, member, other, liar, keys, groups, shared, hashes };
}

it(
  `${MESSAGES} messages of outsiders that know all keys change nothing of a group of others`,
  async () => {
    const { network, member, other, liar, keys, groups, shared, hashes } = await openSites();
    const dice = createDice(SEED);
    const pick = <T>(all: readonly T[]): T => all[dice(all.length)] as T;
    const own = createKeyPair(sodium);
    const sealer = new Sealer(sodium);
    const everyKey = [...keys, own.publicKey];
    const groupIds = [
      legacyGroupId(keys.slice(0, 2)),
      legacyGroupId(keys),
      ...[...groups, shared].map((group) => groupIdOf(group)),
    ];
    const stored = hashes.flatMap((hash) => {
      const payload = member.manager.payloads.findFor(hash, keys[0] as Uint8Array);
      return payload === undefined ? [] : [payload];
    });
    // Boxes are made with the keys of the liars; everything else is arbitrary.
    const forge = (): EncodedPayload => {
      const sealed = sealer.seal(Buffer.from(SECRET), {
        sender: pick([own, liar.pair]),
        recipients: [pick(keys)],
        privacyGroupId: pick(groupIds),
      });
      return { ...sealed, senderKey: pick(everyKey), recipientKeys: [pick(everyKey)] };
    };
    const pushed = (): Uint8Array => {
      const payload = dice(3) === 0 ? pick(stored) : forge();
      const part = dice(2) === 0 ? payload : (forRecipient(payload, pick(keys)) ?? payload);
      return pick([encodeLegacy, encodeCborPayload])(part);
    };
    const group = (): Uint8Array => {
      const base = pick(groups);
      const members = dice(2) === 0 ? base.members : [pick(everyKey), pick(everyKey)];
      const seed = dice(2) === 0 ? base.seed : sodium.randombytes_buf(dice(20));
      const type = pick(["LEGACY", "PANTHEON"] as const);
      const state = pick(["ACTIVE", "DELETED"] as const);
      return encodeGroup({ ...base, members, seed, type, state } satisfies PrivacyGroup);
    };
    const info = (): Uint8Array => {
      const url = pick([URLS.liar, "http://192.0.2.1:9/"]);
      const recipients = [{ key: pick(everyKey), url }];
      return encodePartyInfo({ url, recipients, parties: [url] });
    };
    // All possible values of a question, of others and invented.
    const asked = (): Uint8Array => {
      const number = () => String(dice(10));
      const question = {
        privacyGroupId: toBase64(pick([...groupIds, sodium.randombytes_buf(32)])),
        publicKey: toBase64(pick(everyKey)),
        keys: hashes.map(toBase64),
        from: number(),
        to: number(),
        blockHash: `0x${"ab".repeat(32)}`,
      };
      return Buffer.from(JSON.stringify(question));
    };
    const messages = {
      push: pushed,
      group,
      info,
      question: () => encodeLegacy(forge()),
      member: asked,
    };
    const kinds = Object.keys(messages) as (keyof typeof messages)[];
    const given = { groups: 0, payloads: 0 };
    /** The response to a question that only managers of members may ask. */
    const askAsMember = async (to: Site, bytes: Uint8Array, caller: Caller) => {
      const path = pick(MEMBERS_ONLY);
      const { status, body } = await network.post(to.url, path, bytes, caller);
      expect([200, 400, 403, 413, 429, 503]).toContain(status);
      if (status !== 200) return undefined;
      expect(caller).not.toBe(OUTSIDE);
      if (path === "/plinth/group") {
        // The liar has a group with the member, and learns about no other.
        expect(decodeGroup(body).members.map(toBase64)).toContain(toBase64(liar.pair.publicKey));
        given.groups += 1;
      }
      if (path === "/plinth/sent") {
        expect(JSON.parse(Buffer.from(body).toString())).toEqual({ keys: [] });
        given.payloads += 1;
      }
      return undefined;
    };
    /** The liar also responds arbitrarily to requests of managers. */
    network.lies.set(URLS.liar, async (path) => {
      if (!MEMBERS_ONLY.some((known) => known === path)) return undefined;
      const lie = pick([group, asked, pushed, () => Buffer.from('{"blocks":[],"next":"0"}')])();
      return { status: 200, body: dice(2) === 0 ? lie : pick([flip, cut, insert])(lie, dice) };
    });
    const take = async (kind: keyof typeof messages, site: Site, bytes: Uint8Array) => {
      const caller = pick([OUTSIDE, { address: URLS.liar }]);
      const to = site.manager;
      if (kind === "member") return askAsMember(site, bytes, caller);
      if (kind === "push") return to.payloads.accept(bytes, caller);
      if (kind === "group") return to.groups.accept(bytes, caller);
      if (kind === "info") return to.discovery.accept(bytes, VERSIONS);
      return to.validate(bytes);
    };
    /** Questions of a node to its manager, which reach the liar as well. */
    const askOthers = async (node: EnclaveClient) => {
      const id = pick([...groupIds, sodium.randombytes_buf(32)]);
      await node.recoverGroup(id, pick(keys));
      const lost = await node.findLost([...hashes, sodium.randombytes_buf(32)]);
      expect(lost?.lost).toEqual([]);
      const question = { privacyGroupId: toBase64(groupIdOf(shared)) };
      const range = { from: "0", to: "9", blockHash: `0x${"ab".repeat(32)}` };
      const comparing = network.client(URLS.member).compare({ ...question, ...range });
      expect(JSON.stringify(await comparing).length).toBeLessThan(1000);
    };
    const parties = keys.slice(0, 2);
    const before = await Promise.all([member, other].map((site) => seen(site, parties)));

    const nodes = [URLS.member, URLS.other].map((url) => network.client(url));
    const waiting = new Set<Promise<unknown>>();
    for (let message = 0; message < MESSAGES; message++) {
      if (message === Math.floor(MESSAGES / 2)) await member.manager.resends.ask();
      if (dice(50) === 0) await askOthers(pick(nodes));
      const kind = pick(kinds);
      let bytes = messages[kind]();
      if (dice(4) === 0) bytes = pick([flip, cut, insert])(bytes, dice);
      const taking = take(kind, pick([member, other]), bytes).then(
        (answer) => expect(String(answer)).not.toContain(SECRET),
        (error) => {
          expect(error).toBeInstanceOf(EnclaveError);
          expect(error.message).not.toContain(SECRET);
        },
      );
      waiting.add(taking.finally(() => waiting.delete(taking)));
      // Some wait for a manager that is never known.
      await Promise.race([taking, network.clock.advance(dice(100) === 0 ? 61_000 : 0)]);
    }
    await network.clock.advance(61_000);
    await Promise.all(waiting);

    for (const [index, site] of [member, other].entries()) {
      const { groups: found, payloads } = await seen(site, parties);
      // Groups announced by outsiders exist as well, and are harmless.
      expect(found).toEqual(expect.arrayContaining(before[index]?.groups ?? []));
      expect(payloads).toEqual(before[index]?.payloads);
    }
    expect(given.groups).toBeGreaterThan(0);
    expect(given.payloads).toBeGreaterThan(0);
  },
  60_000 + MESSAGES,
);

/**
 * The groups of two parties that a manager knows, and the payloads it attributes to one of them.
 */
async function seen({ store, manager }: Site, parties: readonly Uint8Array[]) {
  const groups = (await manager.groups.find(parties)).map((group) => toBase64(groupIdOf(group)));
  const payloads: string[] = [];
  for await (const [hash] of store.table("enclave.payloads").iterate()) {
    const {
      senderKey,
      payload,
      privacyGroupId = new Uint8Array(),
    } = manager.payloads.receive(hash);
    if (!parties.some((key) => Buffer.compare(key, senderKey) === 0)) continue;
    payloads.push([hash, senderKey, privacyGroupId, payload].map(toBase64).join(" "));
  }
  return { groups, payloads };
}
