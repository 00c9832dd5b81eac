import { toBase64 } from "@plinth/kit-enclave";
import { describe, expect, it } from "vitest";
import { loseAll, openSites } from "../support/member-sites.js";

const PAYLOAD = Buffer.from("a private transaction");
const ASK = "/plinth/sent";
const NOWHERE = new Uint8Array(32);

describe("payloads that a manager has lost", () => {
  it("are found at their senders and recipients, and no others are", async () => {
    const { network, sites } = await openSites("a", "b", "c");
    const [a, b, c] = sites;
    const send = (from: typeof a, to: typeof a) =>
      from.manager.payloads.send({ payload: PAYLOAD, to: [to.key] });
    const received = await send(a, b);
    const sent = await send(b, c);
    const ofOthers = await send(a, c);
    const fresh = await loseAll(network, b);
    const kept = await send(a, fresh);

    const found = await fresh.client.findLost([received, NOWHERE, sent, ofOthers, kept]);

    expect(found).toEqual({ lost: [received, sent].map(toBase64), silent: [] });
  });

  it("are none if all are here, and no one is asked", async () => {
    const { network, sites } = await openSites("a", "b");
    const [a, b] = sites;
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });

    expect(await b.client.findLost([hash])).toEqual({ lost: [], silent: [] });
    expect(network.asked.filter(({ path }) => path === ASK)).toEqual([]);
  });

  it("may be at managers that do not respond, which are reported", async () => {
    const { network, sites } = await openSites("a", "b", "c", "d");
    const [a, b, c, d] = sites;
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    const fresh = await loseAll(network, b);
    network.down.add(c.url);
    network.lies.set(d.url, async (path) =>
      path === ASK ? { status: 404, body: Buffer.from("HTTP 404 Not Found") } : undefined,
    );

    expect(await fresh.client.findLost([hash])).toEqual({
      lost: [toBase64(hash)],
      silent: [c.url, d.url],
    });
  });

  it.each([
    ["payloads that it was not asked for", JSON.stringify({ keys: ["AA==", "x"] }), []],
    ["no list", '{"keys":7}', ["http://a.test/"]],
    ["no JSON", "keys", ["http://a.test/"]],
  ])("are not invented by a manager that responds with %s", async (_, lie, silent) => {
    const { network, sites } = await openSites("a", "b");
    const [a, b] = sites;
    network.lies.set(a.url, async (path) =>
      path === ASK ? { status: 200, body: Buffer.from(lie) } : undefined,
    );

    expect(await b.client.findLost([NOWHERE])).toEqual({ lost: [], silent });
  });

  it("are at most 1,000 per request", async () => {
    const { network, sites } = await openSites("a", "b");
    const [a, b] = sites;
    const keys = Array.from({ length: 1001 }, () => NOWHERE);

    await expect(b.client.findLost(keys)).rejects.toMatchObject({ status: 400 });

    const question = { publicKey: toBase64(b.key), keys: keys.map(toBase64) };
    const post = (body: object) =>
      network.post(a.url, ASK, Buffer.from(JSON.stringify(body)), { address: b.url });
    expect((await post(question)).status).toBe(400);
    expect((await post({ ...question, keys: question.keys.slice(1) })).status).toBe(200);
    expect((await post({ ...question, keys: ["AA=="] })).status).toBe(400);
  });
});

it.each([
  ["an outsider", "192.0.2.1"],
  ["the manager of another key", "http://c.test/"],
])("does not reveal to %s what a key was sent", async (_, address) => {
  const { network, sites } = await openSites("a", "b", "c");
  const [a, b] = sites;
  const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
  const ask = (key: Uint8Array, from: string) => {
    const question = { publicKey: toBase64(b.key), keys: [toBase64(key)] };
    const body = Buffer.from(JSON.stringify(question));
    return network.post(a.url, ASK, body, { address: from });
  };

  const here = await ask(hash, address);

  expect(here.status).toBe(403);
  expect(await ask(NOWHERE, address)).toEqual(here);
  const { body } = await ask(hash, b.url);
  expect(JSON.parse(Buffer.from(body).toString())).toEqual({ keys: [toBase64(hash)] });
});
