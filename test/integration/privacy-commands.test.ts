import { readFileSync, writeFileSync } from "node:fs";
import type { Hex } from "@plinth/core";
import cmdPrivacy from "@plinth/plugin-cmd-privacy";
import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacy from "@plinth/plugin-privacy";
import rpcEea from "@plinth/plugin-rpc-eea";
import rpcPriv from "@plinth/plugin-rpc-priv";
import transportHttp from "@plinth/plugin-transport-http";
import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const KEY = "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
const SENDER = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
/** Returns its slot 0, or keeps what it is called with there and logs it. */
const STORE = creationOf("36600f5760005460005260206000f35b6000358060005560005260206000a000");
/** Reverts with `Error("no\u001b[2J")`, whose text would clear a terminal. */
const REVERTS = creationOf(
  `7f08c379a0${"00".repeat(28)}600052602060045260066024527f6e6f1b5b324a${"00".repeat(26)}60445260646000fd`,
);
const OTHER_GROUP = Buffer.alloc(32, 7).toString("base64");
const UNKNOWN: Hex = `0x${"ab".repeat(32)}`;

const folder = temporaryFolder();
const keyFile = folder.file("account.key");
let site: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  writeFileSync(keyFile, KEY);
  await using node = await createTestNode({ plugins: [enclave] });
  await node.command("enclave keygen", { flags: { to: folder.file("a") } });
  site = await openSite();
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("privacy send", () => {
  it("creates a contract, calls it, and shows what became of it", async () => {
    const created = await site.send({ privateFor: [site.key], data: STORE, wait: true });
    const [hash, ...rows] = created.stdout.trimEnd().split("\n");
    const group = findRow(rows, "Group");
    const to = findRow(rows, "Contract");
    const data = word(42);
    const stored = await site.send({ privateFor: [site.key], to, data, wait: true });
    const again = await site.receipt(hash, { json: true });

    expect(created.code).toBe(0);
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(rows).toContain(`Marker    ${hash}`);
    expect(rows).toContain(`From      ${SENDER}`);
    expect(rows).toContainEqual(expect.stringMatching(/^Status {4}succeeded, in block \d+$/));
    expect(stored.stdout).toContain(`Logs      1\n          ${to}\n            ${data}\n`);
    expect(JSON.parse(again.stdout)).toMatchObject({ commitmentHash: hash, privacyGroupId: group });
    expect(await site.call({ group, to })).toEqual({ code: 0, stdout: `${data}\n` });
    expect(await site.call({ group, to, block: "earliest" })).toEqual({ code: 0, stdout: "0x\n" });
    expect(await site.call({ group, to, block: "0xffff" })).toEqual({
      code: 1,
      stdout: "Unknown block 0xffff.\n",
    });
  });

  it("sends to a group, with a key and code from files", async () => {
    const group = await site.rpc("priv_createPrivacyGroup", [{ addresses: [site.key] }]);
    writeFileSync(folder.file("Store.bin"), `${STORE.slice(2)}\n`);
    const input = {
      flags: {
        url: site.url,
        keyFile,
        group,
        publicKeyFile: folder.file("a.pub"),
        dataFile: folder.file("Store.bin"),
        wait: true,
        json: true,
      },
      files: {
        [folder.file("Store.bin")]: readFileSync(folder.file("Store.bin"), "utf8"),
        [folder.file("a.pub")]: readFileSync(folder.file("a.pub"), "utf8"),
      },
    };

    const { stdout } = await site.node.command("privacy send", input);

    expect(JSON.parse(stdout)).toMatchObject({ status: "0x1", privacyGroupId: group });
  });

  it("signs what can be sent without it", async () => {
    const flags = { privateFor: [site.key], data: STORE, nonce: 1_000_000, signOnly: true };

    const { stdout } = await site.send(flags);
    const again = await site.send(flags);
    const marker = await site.rpc("eea_sendRawTransaction", [stdout.trimEnd()]);

    expect(again.stdout).toBe(stdout);
    expect(await site.receipt(String(marker), { wait: true })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Status {4}failed.*\nReason {4}.*[Nn]once/),
    });
  });

  it("returns 1 for code that reverts, and shows with what, without obeying it", async () => {
    const created = await site.send({ privateFor: [site.key], data: REVERTS, wait: true });
    const rows = created.stdout.split("\n");
    const [group, to] = [findRow(rows, "Group"), findRow(rows, "Contract")];

    const sent = await site.send({ privateFor: [site.key], to, data: "0x", wait: true });
    const called = await site.call({ group, to });

    expect(created.code).toBe(0);
    expect(sent.code).toBe(1);
    expect(sent.stdout).toContain('Reason    reverted with "no\\u001b[2J"\n');
    expect(called).toEqual({ code: 1, stdout: 'Reverted with "no\\u001b[2J"\n' });
  });

  it.each<[string, object, string]>([
    ["no key file", { keyFile: undefined }, "Missing required option: '--key-file=<PATH>'"],
    [
      "no parties",
      { privateFor: [] },
      "Missing required option: '--group=<ID>' or '--private-for=<KEY>[,<KEY>...]'",
    ],
    [
      "two kinds of parties",
      { group: OTHER_GROUP },
      "Invalid value for option '--private-for': a group is given with --group, too; remove one of them",
    ],
    [
      "a key that is none",
      { privateFor: ["AAAA"] },
      `Invalid value for option '--private-for': "AAAA" is not a key: expected 32 bytes in base64, 44 characters`,
    ],
    [
      "no data",
      { data: undefined },
      "Missing required option: '--data=<HEX>' or '--data-file=<PATH>'",
    ],
    ["an old nonce", { nonce: 0 }, "it refuses eea_sendRawTransaction: Nonce too low (-32001)"],
    [
      "a group that is not there",
      { group: OTHER_GROUP, privateFor: [] },
      "it refuses eea_sendRawTransaction: ",
    ],
    ["a key of another node", { privateFrom: OTHER_GROUP }, "Private from does not match enclave"],
    [
      "no node",
      { url: "http://127.0.0.1:1" },
      "The node at http://127.0.0.1:1/ does not respond: ",
    ],
  ])("refuses %s, and says what would be right", async (_, flags, message) => {
    await site.send({ privateFor: [site.key], data: STORE, wait: true });

    const refused = await site
      .send({ privateFor: [site.key], data: STORE, ...flags })
      .catch((error: unknown) => error);

    expect(refused).toMatchObject({ message: expect.stringContaining(message) });
    expect(String(Object(refused).message)).not.toContain(KEY);
  });

  it("does not show what is in a file that was meant to be public", async () => {
    const publicKeyFile = folder.file("manager.key");
    const flags = { url: site.url, keyFile, privateFor: [site.key], data: STORE, publicKeyFile };

    const refused = await site.node
      .command("privacy send", { flags, files: { [publicKeyFile]: KEY } })
      .catch((error: unknown) => error);

    expect(refused).toMatchObject({
      message: expect.stringContaining(`the content of ${publicKeyFile} is not a key`),
    });
    expect(String(Object(refused).message)).not.toContain(KEY.slice(0, 8));
  });

  it("does not show what is in a file that is no key", async () => {
    writeFileSync(folder.file("typo.key"), `${KEY}0`);

    const refused = await site
      .send({ privateFor: [site.key], data: STORE, keyFile: folder.file("typo.key") })
      .catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: "KEY_FILE_INVALID" });
    expect(String(Object(refused).message)).not.toContain(KEY.slice(0, 8));
  });
});

describe("privacy receipt", () => {
  it("says that there is no such marker, at once and after a wait", async () => {
    const text = `No private receipt for ${UNKNOWN}: the node has no marker with this hash.\n`;

    expect(await site.receipt(UNKNOWN)).toEqual({ code: 1, stdout: text });
    expect(await site.receipt(UNKNOWN, { wait: true, timeout: 1 })).toEqual({
      code: 1,
      stdout: text,
    });
    expect(JSON.parse((await site.receipt(UNKNOWN, { json: true })).stdout)).toEqual({
      commitmentHash: UNKNOWN,
      missing: "the node has no marker with this hash",
    });
  });

  it("refuses what is no hash", async () => {
    await expect(site.receipt("0x12")).rejects.toThrow(
      '"0x12" is not the hash of a marker transaction; expected 0x and 64 hex digits',
    );
  });
});

function creationOf(code: string): Hex {
  const size = (code.length / 2).toString(16).padStart(2, "0");
  return `0x60${size}600c60003960${size}6000f3${code}`;
}

function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

function findRow(rows: readonly string[], label: string): string | undefined {
  return rows.find((row) => row.startsWith(`${label} `))?.slice(10);
}

/** A node with a manager inside, whose blocks come at once, and the commands at it. */
async function openSite() {
  const enclaveConfigFile = folder.file("enclave.toml");
  writeFileSync(
    enclaveConfigFile,
    'url = "http://127.0.0.1:1/"\npeer-port = 0\nnode-port = 0\nkey-files = ["a.key"]\n',
  );
  const node = await createTestNode({
    plugins: [enclave, enclaveTessera, privacy, rpcEea, rpcPriv, transportHttp, cmdPrivacy],
    genesis: { ...DEV_GENESIS, config: { ...DEV_GENESIS.config, zeroBaseFee: true } },
    options: {
      privacyEnabled: true,
      enclaveConfigFile,
      privacyPublicKeyFile: folder.file("a.pub"),
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcHttpApi: ["ETH", "EEA", "PRIV", "PLINTH"],
    },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc");
  const url = `http://127.0.0.1:${listener?.address?.port}`;
  const run = async (id: string, flags: object, args: readonly string[] = []) => {
    const given = Object.entries({ url, ...flags }).filter(([, value]) => value !== undefined);
    const { code, stdout } = await node.command(id, { flags: Object.fromEntries(given), args });
    return { code, stdout };
  };
  return {
    node,
    url,
    rpc: node.rpc,
    key: readFileSync(folder.file("a.pub"), "utf8").trim(),
    send: (flags: object) => run("privacy send", { keyFile, ...flags }),
    call: (flags: object) => run("privacy call", flags),
    receipt: (hash = "", flags: object = {}) => run("privacy receipt", flags, [hash]),
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
