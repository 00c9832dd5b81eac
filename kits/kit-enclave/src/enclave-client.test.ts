import { expect, it } from "vitest";
import { EnclaveClient } from "./enclave-client.js";
import { NotOffered } from "./not-offered.js";
import type { StateQuestion } from "./state-question.js";

const KEY = new Uint8Array(32).fill(7);
const TEXT = Buffer.from(KEY).toString("base64");
const ROOT = `0x${"ab".repeat(32)}`;
const QUESTION: StateQuestion = { privacyGroupId: TEXT, from: "5", to: "9", blockHash: ROOT };
const GROUP = { privacyGroupId: TEXT, name: "", description: "", type: "LEGACY", members: [TEXT] };

/** A client of a manager that responds to everything alike, with the request. */
function clientOf(status: number, answer: unknown) {
  const posts: { path: string; body: object; timeoutMs: number | undefined }[] = [];
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  const client = new EnclaveClient({
    name: "of the test",
    async post(path, sent, { timeoutMs } = {}) {
      posts.push({ path, body: sent, timeoutMs });
      return { status, body };
    },
  });
  return { client, posts };
}

it.each([
  [404, "HTTP 404 Not Found"],
  [405, ""],
  [500, "HTTP 405 Method Not Allowed"],
])("recognizes by status %d that a manager cannot ask others", async (status, text) => {
  const { client } = clientOf(status, text);

  expect(await client.recoverGroup(KEY, KEY)).toBeUndefined();
  expect(await client.findLost([KEY])).toBeUndefined();
  expect(await client.compare(QUESTION)).toBeUndefined();
  await expect(client.nextQuestion()).rejects.toThrow(NotOffered);
});

it("reports why a manager that can ask others did not", async () => {
  const { client } = clientOf(500, "Internal Server Error");

  await expect(client.recoverGroup(KEY, KEY)).rejects.toMatchObject({ status: 500 });
  await expect(client.nextQuestion()).rejects.toMatchObject({ name: "EnclaveError" });
});

it("returns a group that was found, and undefined otherwise", async () => {
  const { client, posts } = clientOf(200, { group: GROUP });

  expect(await client.recoverGroup(KEY, KEY)).toEqual(GROUP);
  expect(posts[0]).toMatchObject({
    path: "/plinth/recoverGroup",
    body: { privacyGroupId: TEXT, senderKey: TEXT },
  });
  expect(await clientOf(200, {}).client.recoverGroup(KEY, KEY)).toBeUndefined();
});

it("gives a manager time to wait for a question", async () => {
  const { client, posts } = clientOf(200, { id: "1", question: QUESTION });

  expect(await client.nextQuestion()).toEqual({ id: "1", question: QUESTION });
  expect(posts[0]?.timeoutMs).toBeGreaterThan(20_000);
  expect(await clientOf(200, {}).client.nextQuestion()).toBeUndefined();
});

it("decodes the blocks reported by members", async () => {
  const blocks = [{ number: "6", root: ROOT, transactions: 2 }];
  const members = [
    { key: TEXT, url: "http://127.0.0.1:1/", answer: { blocks, next: "7" } },
    { key: TEXT, problem: "its manager is unknown" },
  ];

  expect(await clientOf(200, { members }).client.compare(QUESTION)).toEqual(members);
});

const block = (number: unknown, more: object = {}) => ({
  number,
  root: ROOT,
  transactions: 0,
  ...more,
});
it.each([
  ["a block before the first", { blocks: [block("4")] }],
  ["a block after the last", { blocks: [block("10")] }],
  ["blocks out of order", { blocks: [block("7"), block("6")] }],
  ["a block twice", { blocks: [block("7"), block("7")] }],
  ["a number that is not a string", { blocks: [block(7)] }],
  ["a number in hex", { blocks: [block("0x7")] }],
  ["a malformed root", { blocks: [block("7", { root: "0x" })] }],
  ["half a transaction", { blocks: [block("7", { transactions: 0.5 })] }],
  ["too many blocks", { blocks: Array.from({ length: 1001 }, () => block("7")) }],
  ["a next page that is the current one", { blocks: [], next: "5" }],
  ["a next page that was already read", { blocks: [block("7")], next: "7" }],
  ["a next page after the end", { blocks: [], next: "10" }],
  ["a block that is not an object", { blocks: [null] }],
  ["nothing", {}],
])("rejects a response with %s", async (_, answer) => {
  const { client } = clientOf(200, { members: [{ key: TEXT, answer }] });

  await expect(client.compare(QUESTION)).rejects.toMatchObject({ name: "EnclaveError" });
});
