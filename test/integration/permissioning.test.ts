import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import permissioningLocal from "@plinth/plugin-permissioning-local";
import rpcMiner from "@plinth/plugin-rpc-miner";
import rpcPerm from "@plinth/plugin-rpc-perm";
import {
  ALICE,
  CAROL,
  createTestNode,
  FakeClock,
  MemoryNetwork,
  recordLogs,
  signTransaction,
  type TestNode,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { until } from "../support/poller.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const A = "0x627306090abab3a6e1400e9345bc60c78a8bef57";
const B = "0xf17f52151ebef6c7334fad080c5704d77216b732";
const ID = "ab".repeat(64);
const NODE = `enode://${ID}@127.0.0.1:30303`;
const OTHER = `enode://${"cd".repeat(64)}@127.0.0.1:30304`;
const SUCCESS = "Success";

/** A node with both lists in one file, on a network in memory. */
async function start(
  folder: TemporaryFolder,
  toml: string | undefined,
  options: Readonly<Record<string, unknown>> = {},
  logs = recordLogs(),
): Promise<TestNode> {
  const path = folder.file("permissions.toml");
  if (toml !== undefined) writeFileSync(path, toml);
  const clock = new FakeClock(Date.now());
  const network = new MemoryNetwork({ clock });
  return createTestNode({
    plugins: [permissioningLocal, rpcPerm, rpcMiner, network.plugin("n")],
    logs,
    options: {
      networkDriver: "memory",
      permissionsAccountsConfigFileEnabled: true,
      permissionsAccountsConfigFile: path,
      permissionsNodesConfigFileEnabled: true,
      permissionsNodesConfigFile: path,
      ...options,
    },
  });
}

const lists = (accounts: readonly string[], nodes: readonly string[] = []) =>
  `accounts-allowlist=${JSON.stringify(accounts)}\nnodes-allowlist=${JSON.stringify(nodes)}`;

describe("a file that a node starts with", () => {
  it.each<[string, string | undefined, string]>([
    ["is missing", undefined, "Configuration file does not exist: "],
    ["has no value", "accounts-allowlist=\n", "Invalid TOML configuration:"],
    ["is empty", "", "Empty TOML result:"],
    ["has comments only", "# nothing\n", "Empty TOML result:"],
    [
      "lacks the accounts",
      "nodes-allowlist=[]",
      "accounts-allowlist config option missing in TOML",
    ],
    ["lacks the nodes", "accounts-allowlist=[]", "nodes-allowlist config option missing in TOML"],
    ["has a text for a list", 'accounts-allowlist="x"\nnodes-allowlist=[]', "not an array"],
    ["has a bad account", lists(["0xfoo"]), "Invalid account 0xfoo"],
    ["has an account without 0x", lists([A.slice(2)]), "Invalid account "],
    ["has an account with 0X", lists([A.replace("0x", "0X")]), "Invalid account 0X"],
    ["has an account twice", lists([A, A.toUpperCase().replace("0X", "0x")]), "duplicated entry"],
    ["has a blank enode", lists([], [" "]), "Invalid empty value."],
    ["has an enode without a scheme", lists([], [`${ID}@127.0.0.1:1`]), "Missing 'enode' scheme."],
    ["has another scheme", lists([], [`http://${ID}@127.0.0.1:1`]), "Invalid URI scheme"],
    ["has an enode without an id", lists([], ["enode://@127.0.0.1:1"]), "Missing node ID."],
    [
      "has a short id",
      lists([], ["enode://bob@127.0.0.1:1"]),
      "Invalid node ID: node ID must have",
    ],
    ["has an enode without a host", lists([], [`enode://${ID}@:1`]), "Missing or invalid host"],
    ["has a host name", lists([], [`enode://${ID}@localhost:1`]), "Invalid ip address."],
    ["has an enode without a port", lists([], [`enode://${ID}@127.0.0.1`]), "Invalid port"],
    ["has a zone", lists([], [`enode://${ID}@[fe80::1%eth0]:1`]), "Invalid ip address."],
    ["has a large port", lists([], [`enode://${ID}@127.0.0.1:65536`]), "Invalid port"],
    [
      "has a wrong discovery port",
      lists([], [`enode://${ID}@127.0.0.1:1?discport=x`]),
      "Invalid discovery port: 'discport=x'.",
    ],
  ])("is rejected if it %s", async (_, toml, message) => {
    using folder = temporaryFolder();

    await expect(start(folder, toml)).rejects.toThrow(message);
  });

  it.each<[string, string]>([
    ["empty lists", lists([])],
    [
      "keys in another order, comments and lines",
      `# who\nnodes-allowlist=[\n]\naccounts-allowlist=[\n  "${A}",\n]\n`,
    ],
    ["keys of its own", `${lists([A])}\nother = 1\n`],
  ])("may have %s", async (_, toml) => {
    using folder = temporaryFolder();
    await using node = await start(folder, toml);

    expect(await node.rpc("perm_getNodesAllowlist")).toEqual([]);
  });

  it("may use the old names, with a warning", async () => {
    using folder = temporaryFolder();
    const logs = recordLogs();
    const toml = `accounts-whitelist=["${A}"]\nnodes-whitelist=["${NODE}"]`;
    await using node = await start(folder, toml, {}, logs);

    expect(await node.rpc("perm_getAccountsWhitelist")).toEqual([A]);
    expect(await node.rpc("perm_getNodesWhitelist")).toEqual([NODE]);
    await node.rpc("perm_addAccountsToWhitelist", [[B]]);
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(
      `accounts-whitelist=["${A}","${B}"]\nnodes-whitelist=["${NODE}"]`,
    );
    expect(logs.entries.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("accounts-whitelist is a deprecated name of accounts-allowlist"),
    );
  });

  it("is only read for enabled lists", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, `accounts-allowlist=["${A}"]`, {
      permissionsNodesConfigFileEnabled: false,
    });

    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([A]);
    await expect(node.rpc("perm_getNodesAllowlist")).rejects.toMatchObject({
      code: -32000,
      message: "Node allowlist has not been enabled",
    });
  });

  it("is not read if no list is enabled", async () => {
    using folder = temporaryFolder();
    const off = {
      permissionsAccountsConfigFileEnabled: false,
      permissionsNodesConfigFileEnabled: false,
    };
    await using node = await start(folder, undefined, off);

    await expect(node.rpc("perm_reloadPermissionsFromFile")).rejects.toMatchObject({
      code: -32000,
      message: "Node/Account allowlist has not been enabled",
    });
  });
});

describe("changes by RPC", () => {
  it("take effect and are written to the file, which keeps its comments and the other list", async () => {
    using folder = temporaryFolder();
    const toml = `# accounts\naccounts-allowlist = [\n  "${A}", # bank A\n]\n\n# nodes\nnodes-allowlist=[]\n`;
    await using node = await start(folder, toml);

    expect(
      await node.rpc("perm_addAccountsToAllowlist", [[B.toUpperCase().replace("0X", "0x")]]),
    ).toBe(SUCCESS);
    expect(await node.rpc("perm_removeAccountsFromAllowlist", [[A]])).toBe(SUCCESS);
    expect(
      await node.rpc("perm_addNodesToAllowlist", [
        [NODE.toUpperCase().replace("ENODE", "enode"), OTHER],
      ]),
    ).toBe(SUCCESS);

    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([B]);
    expect(await node.rpc("perm_getNodesAllowlist")).toEqual([NODE, OTHER]);
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(
      `# accounts\naccounts-allowlist = [\n  "${B}", # bank A\n]\n\n# nodes\nnodes-allowlist=["${NODE}","${OTHER}"]\n`,
    );
  });

  it("keep the order of the list", async () => {
    using folder = temporaryFolder();
    const [first, second, third] = [1, 2, 3].map((port) => `enode://${ID}@127.0.0.1:${port}`);
    await using node = await start(folder, lists([]));
    await node.rpc("perm_addNodesToAllowlist", [[first, second]]);
    await node.rpc("perm_removeNodesFromAllowlist", [[first]]);
    await node.rpc("perm_addNodesToAllowlist", [[first, third]]);

    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(
      lists([], [second ?? "", first ?? "", third ?? ""]),
    );
  });

  it("treat another discovery port as another entry", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([], [NODE]));

    expect(await node.rpc("perm_addNodesToAllowlist", [[`${NODE}?discport=0`]])).toBe(SUCCESS);
    expect(await node.rpc("perm_getNodesAllowlist")).toEqual([NODE, `${NODE}?discport=0`]);
  });

  it.each<[string, readonly unknown[], number, string]>([
    ["addAccountsToAllowlist", [], -32602, "Invalid account params"],
    ["addAccountsToAllowlist", [A], -32602, "Invalid account params"],
    ["addAccountsToAllowlist", [[1]], -32602, "Invalid account params"],
    ["removeAccountsFromAllowlist", [], -32602, "Invalid account params"],
    ["addNodesToAllowlist", [], -32602, "Invalid enode params"],
    ["removeNodesFromAllowlist", [NODE], -32602, "Invalid enode params"],
    ["addAccountsToAllowlist", [[]], -32000, "Request contains an empty list of accounts"],
    ["removeAccountsFromAllowlist", [[]], -32000, "Request contains an empty list of accounts"],
    ["addNodesToAllowlist", [[]], -32000, "Request contains an empty list of nodes"],
    ["removeNodesFromAllowlist", [[]], -32000, "Request contains an empty list of nodes"],
    // Accounts: invalid before duplicate before existing.
    ["addAccountsToAllowlist", [["0x1", "0x1"]], -32000, "Request contains an invalid account"],
    ["addAccountsToAllowlist", [[A, A]], -32000, "Request contains duplicate accounts"],
    ["addAccountsToAllowlist", [[B, A]], -32000, "Cannot add an existing account to allowlist"],
    [
      "removeAccountsFromAllowlist",
      [["0x1", "0x1"]],
      -32000,
      "Request contains an invalid account",
    ],
    ["removeAccountsFromAllowlist", [[B, B]], -32000, "Request contains duplicate accounts"],
    [
      "removeAccountsFromAllowlist",
      [[A, B]],
      -32000,
      "Cannot remove an absent account from allowlist",
    ],
    // Nodes: duplicate before invalid before existing.
    ["addNodesToAllowlist", [["x", "x"]], -32000, "Request contains duplicate nodes"],
    ["addNodesToAllowlist", [["x", NODE]], -32000, "Request contains an invalid node"],
    [
      "addNodesToAllowlist",
      [[`enode://${ID}@localhost:1`]],
      -32000,
      "Request contains an invalid node",
    ],
    ["addNodesToAllowlist", [[OTHER, NODE]], -32000, "Cannot add an existing node to allowlist"],
    ["removeNodesFromAllowlist", [["x", "x"]], -32000, "Request contains duplicate nodes"],
    ["removeNodesFromAllowlist", [["x"]], -32000, "Request contains an invalid node"],
    [
      "removeNodesFromAllowlist",
      [[NODE, OTHER]],
      -32000,
      "Cannot remove an absent node from allowlist",
    ],
  ])("are refused: %s %j", async (method, params, code, message) => {
    using folder = temporaryFolder();
    const toml = lists([A], [NODE]);
    await using node = await start(folder, toml);

    await expect(node.rpc(`perm_${method}`, params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([A]);
    expect(await node.rpc("perm_getNodesAllowlist")).toEqual([NODE]);
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(toml);
  });

  it.each([
    ["getNodesAllowlist", []],
    ["addNodesToAllowlist", [[NODE]]],
    ["removeNodesFromAllowlist", [[NODE]]],
  ])("need peers: perm_%s", async (method, params) => {
    using folder = temporaryFolder();
    const path = folder.file("permissions.toml");
    writeFileSync(path, lists([]));
    await using node = await createTestNode({
      plugins: [permissioningLocal, rpcPerm],
      options: { permissionsNodesConfigFileEnabled: true, permissionsNodesConfigFile: path },
    });

    await expect(node.rpc(`perm_${method}`, params)).rejects.toMatchObject({
      code: -32000,
      message: "P2P has been disabled. This functionality is not available",
    });
  });

  it("are not written if the file lacks the effective entries, but take effect", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([A]));
    writeFileSync(folder.file("permissions.toml"), lists([]));

    await expect(node.rpc("perm_addAccountsToAllowlist", [[B]])).rejects.toMatchObject({
      code: -32000,
      message:
        "The permissioning allowlist configuration file is out of sync.  The changes have been applied, but not persisted to disk",
    });
    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([A, B]);
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(lists([]));
  });

  it("remove the named entries, also if more was added to the file by hand", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([A]));
    const byHand = `0x${"11".repeat(20)}`;
    writeFileSync(folder.file("permissions.toml"), lists([byHand, A]));

    await node.rpc("perm_addAccountsToAllowlist", [[B]]);
    await node.rpc("perm_removeAccountsFromAllowlist", [[A]]);

    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([B]);
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(lists([byHand, B]));
  });

  it.each(["", "not toml [", "nodes-allowlist=[]"])(
    "change nothing if the file was replaced by %j",
    async (damaged) => {
      using folder = temporaryFolder();
      await using node = await start(folder, lists([A]));
      writeFileSync(folder.file("permissions.toml"), damaged);

      await expect(node.rpc("perm_addAccountsToAllowlist", [[B]])).rejects.toMatchObject({
        code: -32000,
        message: "Unable to persist changes to allowlist configuration file. Changes reverted",
      });
      expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([A]);
    },
  );

  it("change nothing if the file cannot be replaced", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([A]));
    const path = folder.file("permissions.toml");
    rmSync(path);
    // Reading works through the link; its target is in a system folder.
    symlinkSync("/proc/self/status", path);

    await expect(node.rpc("perm_addAccountsToAllowlist", [[B]])).rejects.toMatchObject({
      message: "Unable to persist changes to allowlist configuration file. Changes reverted",
    });
    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([A]);
  });
});

describe("changes at the same time", () => {
  it("are all written, though both lists are in one file", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([]));
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const accounts = numbers.map((number) => `0x${String(number).padStart(40, "0")}`);
    const nodes = numbers.map((number) => `enode://${ID}@127.0.0.1:${number + 1}`);

    const answers = await Promise.all([
      ...accounts.map((each) => node.rpc("perm_addAccountsToAllowlist", [[each]])),
      ...nodes.map((each) => node.rpc("perm_addNodesToAllowlist", [[each]])),
    ]);

    expect(new Set(answers)).toEqual(new Set([SUCCESS]));
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(lists(accounts, nodes));
  });

  it("take constant time per entry of a long list", async () => {
    using folder = temporaryFolder();
    const accounts = Array.from(
      { length: 50_000 },
      (_, number) => `0x${String(number).padStart(40, "0")}`,
    );
    await using node = await start(folder, lists(accounts));

    // It took a minute and a half when each of them searched for the start of its line.
    expect(await node.rpc("perm_removeAccountsFromAllowlist", [accounts])).toBe(SUCCESS);
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(lists([]));
  }, 30_000);

  it("do not touch the target of a link with the name of a temporary file", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([A]));
    writeFileSync(folder.file("victim"), "precious");
    symlinkSync(folder.file("victim"), folder.file("permissions.toml.tmp"));

    await node.rpc("perm_addAccountsToAllowlist", [[B]]);

    expect(readFileSync(folder.file("victim"), "utf8")).toBe("precious");
    expect(readFileSync(folder.file("permissions.toml"), "utf8")).toBe(lists([A, B]));
  });
});

describe("a reload", () => {
  it("takes both lists from the file, or neither", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([A], [NODE]));
    const path = folder.file("permissions.toml");

    writeFileSync(path, lists([B], ["enode://bob@127.0.0.1:1"]));
    await expect(node.rpc("perm_reloadPermissionsFromFile")).rejects.toMatchObject({
      code: -32000,
      message:
        "Error reloading permissions file. Please use perm_getAccountsAllowlist and perm_getNodesAllowlist to review the current state of the allowlists",
    });
    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([A]);

    writeFileSync(path, lists([B], [OTHER]));
    expect(await node.rpc("perm_reloadPermissionsFromFile")).toBe(SUCCESS);
    expect(await node.rpc("perm_getAccountsAllowlist")).toEqual([B]);
    expect(await node.rpc("perm_getNodesAllowlist")).toEqual([OTHER]);
  });
});

describe("accounts that are not listed", () => {
  it("may not send, and calls are free", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([ALICE.address]));
    const raw = await signTransaction({ from: CAROL, to: ALICE.address });

    await expect(node.rpc("eth_sendRawTransaction", [raw])).rejects.toMatchObject({
      code: -32007,
      message: "Sender account not authorized to send transactions",
    });
    const call = { from: CAROL.address, to: ALICE.address };
    expect(await node.rpc("eth_call", [call, "latest"])).toBe("0x");
    await node.rpc("perm_addAccountsToAllowlist", [[CAROL.address]]);
    expect(await node.rpc("eth_sendRawTransaction", [raw])).toMatch(/^0x/);
  });

  it("are excluded from blocks if they were listed before", async () => {
    using folder = temporaryFolder();
    await using node = await start(folder, lists([ALICE.address, CAROL.address]));
    await node.rpc("miner_stop");
    for (const from of [ALICE, CAROL]) {
      await node.rpc("eth_sendRawTransaction", [
        await signTransaction({ from, to: ALICE.address }),
      ]);
    }
    await node.rpc("perm_removeAccountsFromAllowlist", [[CAROL.address]]);
    await node.rpc("miner_start");
    await node.rpc("eth_sendRawTransaction", [
      await signTransaction({ nonce: 1, to: ALICE.address }),
    ]);

    const count = async (account: string) =>
      Number(await node.rpc("eth_getTransactionCount", [account, "latest"]));
    await until(async () => (await count(ALICE.address)) === 2 || undefined);
    expect(await count(CAROL.address)).toBe(0);
  });
});
