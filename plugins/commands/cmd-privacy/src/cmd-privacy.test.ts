import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createTestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import cmdPrivacy from "./index.js";

const KEY = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
const PARTY = "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=";
const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = `0x${"11".repeat(20)}`;
const NOT_OFFERED = { error: { code: -32604, message: "Method not enabled" } };
const READY = {
  eth_chainId: { result: "0x539" },
  priv_getTransactionCount: { result: "0x0" },
  eea_sendRawTransaction: { result: HASH },
};

let folder: string;
let keyFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-send-"));
  keyFile = join(folder, "account.key");
  await writeFile(keyFile, KEY);
});
afterAll(() => rm(folder, { recursive: true }));

describe("privacy send", () => {
  const sent = { privateFor: [PARTY], privateFrom: PARTY, data: "0x00" };

  it("prints the hash of what it sent if the receipt is unavailable", async () => {
    const broken = { error: { code: -32603, message: "Internal error" } };
    const failing = {
      ...READY,
      priv_getTransactionReceipt: broken,
      plinth_privateTransactionStatus: NOT_OFFERED,
    };

    await expect(
      run("privacy send", failing, { ...sent, keyFile, wait: true, json: true }),
    ).rejects.toMatchObject({
      code: "RECEIPT_UNKNOWN",
      message: expect.stringContaining(`was sent, its marker is ${HASH}`),
    });
  });

  it("needs the key of the sending party if the node does not report its own", async () => {
    const silent = { ...READY, plinth_privacyStatus: NOT_OFFERED };

    await expect(
      run("privacy send", silent, { ...sent, keyFile, privateFrom: undefined }),
    ).rejects.toMatchObject({
      code: "OPTION_MISSING",
      message: expect.stringMatching(
        /^Missing required option: '--private-from=<KEY>': the node at/,
      ),
    });
  });
});

describe("privacy groups add", () => {
  it("reports that the group stays locked if the addition fails", async () => {
    const receipt = { commitmentHash: HASH, privacyGroupId: PARTY, logs: [], output: "0x" };
    const answers = {
      ...READY,
      priv_call: { result: `0x${"00".repeat(31)}01` },
      priv_getTransactionReceipt: [
        { result: { ...receipt, status: "0x1", from: ADDRESS, blockNumber: "0x1" } },
        { result: { ...receipt, status: "0x0", from: ADDRESS, blockNumber: "0x2" } },
      ],
      plinth_privateTransactionStatus: NOT_OFFERED,
    };
    const flags = { group: PARTY, members: [PARTY], privateFrom: PARTY, keyFile, wait: true };

    const { code, stdout } = await run("privacy groups add", answers, flags);

    expect(code).toBe(1);
    expect(stdout).toContain("The group is locked, and executes nothing before it is unlocked");
  });
});

describe("privacy groups list", () => {
  const failing = { error: { code: -50100, message: "Private transaction failed" } };
  const answersOf = () => ({
    privx_findFlexiblePrivacyGroup: {
      result: ["first", "second", "third"].map((privacyGroupId) => ({
        privacyGroupId,
        name: "",
        description: "",
        type: "FLEXIBLE",
        members: [PARTY],
      })),
    },
    priv_call: [{ result: `0x${"00".repeat(32)}` }, failing, { result: `0x${"00".repeat(31)}01` }],
  });

  it("shows all groups, even if the contract of one fails", async () => {
    const { code, stdout } = await run("privacy groups list", answersOf(), {});

    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => line.startsWith("Group"))).toEqual([
      "Group first, locked:",
      "Group second, which does not report whether it is locked:",
      "Group third:",
    ]);
  });

  it("prints null in JSON for a group that does not report whether it is locked", async () => {
    const { stdout } = await run("privacy groups list", answersOf(), { json: true });

    expect(JSON.parse(stdout).map((group: { isLocked: unknown }) => group.isLocked)).toEqual([
      true,
      null,
      false,
    ]);
  });

  it("reports what the node needs if it has no flexible groups", async () => {
    const answers = { privx_findFlexiblePrivacyGroup: NOT_OFFERED };

    await expect(run("privacy groups list", answers, {})).rejects.toMatchObject({
      code: "NODE_REFUSED",
      message: expect.stringContaining(
        "it needs --privacy-flexible-groups-enabled, and PRIV in --rpc-http-api",
      ),
    });
  });
});

describe("privacy call", () => {
  const flags = { group: PARTY, to: ADDRESS };

  it("returns 1 for code that fails without a reason", async () => {
    const failing = {
      priv_call: { error: { code: -50100, message: "Private transaction failed" } },
    };

    expect(await run("privacy call", failing, flags)).toMatchObject({
      code: 1,
      stdout: "Failed, or reverted without a reason.\n",
    });
  });

  it("rejects if the node refuses to run the code", async () => {
    const off = { priv_call: { error: { code: -50100, message: "Privacy is not enabled" } } };

    await expect(run("privacy call", off, flags)).rejects.toMatchObject({ code: "NODE_REFUSED" });
  });
});

describe("the output of a node", () => {
  const evil = "\u001b[2J\u009b1m";
  const receipt = {
    commitmentHash: HASH,
    status: "0x1",
    blockNumber: "0x1",
    privacyGroupId: evil,
    from: ADDRESS,
    output: "0x",
    logs: [],
  };
  const differing = {
    key: evil,
    state: evil,
    problem: evil,
    difference: {
      block: "0x1",
      markers: [],
      own: { root: evil, transactions: 1 },
      advice: evil,
    },
  };

  it.each<[string, Readonly<Record<string, object>>, readonly string[]]>([
    ["privacy receipt", { priv_getTransactionReceipt: { result: receipt } }, [HASH]],
    [
      "privacy verify",
      {
        plinth_verifyPrivacy: {
          result: {
            groups: [
              { privacyGroupId: evil, to: "0x1", members: [differing] },
              {
                privacyGroupId: evil,
                to: "0x1",
                members: [{ key: evil, state: evil, problem: evil }],
              },
            ],
            lost: [],
            problem: evil,
          },
        },
      },
      [],
    ],
  ])("cannot control the terminal: %s", async (id, answers, args) => {
    const { stdout } = await run(id, answers, {}, args);

    expect(stdout).toContain("\\u001b[2J");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("\u009b");
  });

  it("cannot control the terminal through the groups it lists", async () => {
    const answers = {
      privx_findFlexiblePrivacyGroup: { result: [{ privacyGroupId: evil, members: [evil] }] },
      priv_call: { result: "0x" },
    };

    const { stdout } = await run("privacy groups list", answers, {});

    expect(stdout).toContain("\\u001b[2J");
    expect(stdout).not.toContain("\u001b");
  });

  it("cannot control the terminal through the key it reports as its own", async () => {
    const answers = { ...READY, plinth_privacyStatus: { result: { publicKey: evil } } };
    const flags = { privateFor: [PARTY], data: "0x00", keyFile };

    await expect(run("privacy send", answers, flags)).rejects.toMatchObject({
      message: expect.not.stringContaining("\u001b"),
    });
  });
});

/**
 * Runs a command against a server with these responses instead of a node; lists are returned one
 * after the other.
 */
async function run(
  id: string,
  answers: Readonly<Record<string, object | object[]>>,
  flags: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
) {
  const server = createServer(async (request, response) => {
    const found = answers[JSON.parse(await text(request)).method];
    response.end(JSON.stringify(Array.isArray(found) ? found.shift() : found));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const given = Object.entries({ url, ...flags }).filter(([, value]) => value !== undefined);
  try {
    await using node = await createTestNode({ plugins: [cmdPrivacy] });
    return await node.command(id, { flags: Object.fromEntries(given), args });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}
