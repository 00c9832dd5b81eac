import {
  type EnclaveClient,
  legacyGroupId,
  type StateAnswer,
  type StateQuestion,
  toBase64,
} from "@plinth/kit-enclave";
import { groupIdOf } from "@plinth/plugin-enclave/api";
import { describe, expect, it } from "vitest";
import { openSites } from "../support/member-sites.js";

const ASK = "/plinth/state";
const HASH = `0x${"cd".repeat(32)}`;
const ANSWER: StateAnswer = {
  blocks: [{ number: "7", root: `0x${"ab".repeat(32)}`, transactions: 2 }],
  next: "8",
};

const questionOf = (id: Uint8Array): StateQuestion => ({
  privacyGroupId: toBase64(id),
  from: "5",
  to: "9",
  blockHash: HASH,
});
const bytesOf = (value: object) => Buffer.from(JSON.stringify(value));

/** Three managers; the first two have a group, the first and the third another. */
async function openGroups() {
  const { network, sites } = await openSites("a", "b", "c");
  const [a, b, c] = sites;
  const create = (...keys: Uint8Array[]) => a.manager.groups.create({ addresses: keys });
  const id = groupIdOf(await create(a.key, b.key));
  await create(a.key, c.key);
  const ask = (address: string, question: object = questionOf(id)) =>
    network.post(b.url, ASK, bytesOf(question), { address });
  return { network, a, b, c, id, ask, question: questionOf(id) };
}

/** A node that answers the next question of its manager. */
async function answerNext(client: EnclaveClient, answer: StateAnswer): Promise<StateQuestion> {
  const asked = await client.nextQuestion();
  if (asked === undefined) throw new Error("there was no question");
  await client.answerQuestion(asked.id, answer);
  return asked.question;
}

describe("the states of a group", () => {
  it("are reported by the nodes of the other members", async () => {
    const { a, b, question } = await openGroups();
    const answering = answerNext(b.client, ANSWER);

    const members = await a.client.compare(question);

    expect(members).toEqual([{ key: toBase64(b.key), url: b.url, answer: ANSWER }]);
    expect(await answering).toEqual(question);
  });

  it("are requested if the group follows from the parties of a transaction", async () => {
    const { a, b } = await openGroups();
    await a.manager.payloads.send({ payload: Buffer.from("private"), to: [b.key] });
    const question = questionOf(legacyGroupId([a.key, b.key]));
    const answering = answerNext(a.client, { problem: "the block is not here" });

    expect(await b.client.compare(question)).toEqual([
      { key: toBase64(a.key), url: a.url, answer: { problem: "the block is not here" } },
    ]);
    await answering;
  });

  it("wait for a node that connects a moment later", async () => {
    const { a, b, network, question } = await openGroups();
    const comparing = a.client.compare(question);
    await network.clock.advance(4000);

    await answerNext(b.client, ANSWER);

    expect(await comparing).toMatchObject([{ answer: ANSWER }]);
  });

  it("are reported by the node that asked last", async () => {
    const { a, b, question } = await openGroups();
    const ended = b.client.nextQuestion();
    const runs = answerNext(b.client, ANSWER);

    expect(await a.client.compare(question)).toMatchObject([{ answer: ANSWER }]);

    await runs;
    b.manager.close();
    expect(await ended).toBeUndefined();
    await expect(b.client.nextQuestion()).rejects.toMatchObject({ status: 503 });
  });

  it.each([
    ["accepts no query", "accepts no queries now", 5000, async () => {}],
    [
      "does not answer",
      "has not responded within 15 s",
      15_000,
      async (client: EnclaveClient) => void (await client.nextQuestion()),
    ],
  ])("are unknown if a node %s", async (_, text, ms, behave) => {
    const { a, b, network, question } = await openGroups();
    const behaving = behave(b.client);
    const comparing = a.client.compare(question);
    await behaving;
    await network.clock.advance(ms);

    const problem = `its manager responds with status 503: the node of this manager ${text}`;
    expect(await comparing).toEqual([{ key: toBase64(b.key), url: b.url, problem }]);
  });

  it("are not requested if a manager is silent, unknown or a Tessera", async () => {
    const { network, sites } = await openSites("a", "b", "c", "d");
    const [a, b, c, d] = sites;
    const group = await a.manager.groups.create({ addresses: sites.map(({ key }) => key) });
    network.lies.set(b.url, async (path) =>
      path === ASK ? { status: 500, body: Buffer.from("HTTP 404 Not Found") } : undefined,
    );
    network.down.add(d.url);
    await a.manager.discovery.announce();
    network.down.add(c.url);

    expect(await a.client.compare(questionOf(groupIdOf(group)))).toEqual([
      { key: toBase64(b.key), url: b.url, problem: "its manager cannot be asked" },
      { key: toBase64(c.key), url: c.url, problem: "its manager does not respond" },
      { key: toBase64(d.key), problem: "its manager is unknown" },
    ]);
  });

  it("of a group that is unknown here are not requested", async () => {
    const { a } = await openGroups();

    await expect(a.client.compare(questionOf(new Uint8Array(32)))).rejects.toMatchObject({
      status: 400,
    });
  });

  it("are not returned with a malformed or late response", async () => {
    const { a, b, network, question } = await openGroups();
    const polling = b.client.nextQuestion();
    const comparing = a.client.compare(question);
    const { id = "" } = (await polling) ?? {};
    const outside = { blocks: [{ number: "10", root: HASH, transactions: 0 }] };

    await expect(b.client.answerQuestion(id, outside)).rejects.toMatchObject({ status: 400 });
    await network.clock.advance(15_000);
    await expect(b.client.answerQuestion(id, ANSWER)).rejects.toMatchObject({ status: 409 });

    expect(await comparing).toMatchObject([{ problem: expect.stringContaining("503") }]);
  });

  it("have no question for 20 s", async () => {
    const { b, network } = await openGroups();
    const polling = b.client.nextQuestion();
    await network.clock.advance(20_000);

    expect(await polling).toBeUndefined();
  });
});

const block = { number: "7", root: HASH, transactions: 0 };
it.each([
  ["no JSON", Buffer.from("{")],
  ["nothing", Buffer.alloc(0)],
  ["a block that was not asked for", bytesOf({ blocks: [{ ...block, number: "10" }] })],
  ["an endless next page", bytesOf({ blocks: [], next: "5" })],
  ["too many blocks", bytesOf({ blocks: Array(1001).fill(block) })],
  ["brackets", Buffer.from("[".repeat(100_000))],
])("a manager that responds with %s does not reach the node", async (_, body) => {
  const { a, b, network, question } = await openGroups();
  network.lies.set(b.url, async (path) => (path === ASK ? { status: 200, body } : undefined));

  expect(await a.client.compare(question)).toEqual([
    { key: toBase64(b.key), url: b.url, problem: expect.stringContaining("malformed") },
  ]);
});

it("a manager whose text is logged appears as one line of printable text", async () => {
  const { a, b, network, question } = await openGroups();
  const text = `\u001b[31mboo\n${"x".repeat(10_000)}`;
  for (const [status, body] of [
    [418, Buffer.from(text)],
    [200, bytesOf({ problem: text })],
  ] as const) {
    network.lies.set(b.url, async (path) => (path === ASK ? { status, body } : undefined));

    const answer = JSON.stringify(await a.client.compare(question));

    expect(answer).toContain(" [31mboo ");
    expect(answer).not.toContain("\\u001b");
    expect(answer.length).toBeLessThan(1000);
  }
});

describe("a question about a group", () => {
  it.each([
    ["an outsider", "192.0.2.1"],
    ["the manager of a member of another group", "http://c.test/"],
  ])("of %s is rejected and does not reach the node", async (_, address) => {
    const { b, network, ask } = await openGroups();
    const polling = b.client.nextQuestion();

    const here = await ask(address);

    expect(here.status).toBe(403);
    expect(await ask(address, questionOf(new Uint8Array(32)))).toEqual(here);
    await network.clock.advance(20_000);
    expect(await polling).toBeUndefined();
  });

  it.each([
    ["an invalid group", { privacyGroupId: "AA==" }],
    ["no number", { from: 5 }],
    ["an end before its beginning", { from: "10" }],
    ["an invalid hash", { blockHash: "0x" }],
    ["a number of a hundred digits", { to: "9".repeat(100) }],
  ])("with %s is rejected", async (_, part) => {
    const { a, ask, question } = await openGroups();

    expect((await ask(a.url, { ...question, ...part })).status).toBe(400);
  });

  it("is one of at most 4 of a manager and 32 in total, until they are answered", async () => {
    const { network, sites } = await openSites("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    const [a, ...others] = sites;
    const group = await a.manager.groups.create({ addresses: sites.map(({ key }) => key) });
    const question = bytesOf(questionOf(groupIdOf(group)));
    const ask = (address: string) => network.post(a.url, ASK, question, { address });
    const [first = a, ...rest] = others;

    const asked = [
      ...Array.from({ length: 5 }, () => ask(first.url)),
      ...rest.flatMap(({ url }) => [1, 2, 3, 4].map(() => ask(url))),
    ];
    await network.clock.advance(5000);

    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual([
      ...Array(4).fill(503),
      429,
      ...Array(28).fill(503),
      ...Array(4).fill(429),
    ]);
    const answering = answerNext(a.client, ANSWER);
    expect((await ask(first.url)).status).toBe(200);
    await answering;
  });
});
