import { readFileSync, writeFileSync } from "node:fs";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { hashPassword } from "@plinth/core/primitives";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { runProgram, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { until } from "./network-node.js";
import { creationOf, RICH_KEY, STORE_CODE } from "./privacy-network.js";

const LIMIT_MS = 120_000;
const PASSWORD = "correct horse";
const GENESIS = {
  config: { chainId: 1337, londonBlock: 0, zeroBaseFee: true, dev: {} },
  gasLimit: "0x1c9c380",
  alloc: {},
};

describe("two tenants of one node, with tokens", () => {
  it("send, and have no access to each other's groups", { timeout: LIMIT_MS }, async () => {
    using folder = temporaryFolder();
    await loadCrypto();
    const keys = await makeFiles(folder);
    await using node = await startNode(
      [
        `--genesis-file=${folder.file("genesis.json")}`,
        "--rpc-http-enabled",
        "--rpc-http-api=ETH,EEA,PRIV",
        "--rpc-http-authentication-enabled",
        `--rpc-http-authentication-credentials-file=${folder.file("users.toml")}`,
        "--privacy-enabled",
        "--privacy-multi-tenancy-enabled",
        `--enclave-config-file=${folder.file("enclave.toml")}`,
      ],
      { folder: folder.path },
    );
    const tokens = await Promise.all(["a", "b", "keyless"].map(logIn));
    const [first, second, keyless] = tokens as [string, string, string];

    const sent = await ask(first, "eea_sendRawTransaction", [sign(keys[0] ?? "")]);
    const hash = sent.json.result;
    await until(
      async () => (await ask(first, "eth_getTransactionReceipt", [hash])).json.result !== null,
      LIMIT_MS,
    );
    const receipt = await ask(first, "priv_getTransactionReceipt", [hash]);
    const group = Object(receipt.json.result).privacyGroupId;

    expect(receipt.json.result).toMatchObject({ status: "0x1", privateFrom: keys[0] });
    expect((await ask(first, "priv_getLogs", [group, {}])).json.result).toEqual([]);
    expect((await ask(second, "priv_getTransactionReceipt", [hash])).json.result).toBeNull();
    expect(await ask(second, "priv_getLogs", [group, {}])).toMatchObject({
      status: 401,
      json: { error: { code: -40100, message: "Unauthorized" } },
    });
    expect((await ask(second, "eea_sendRawTransaction", [sign(keys[0] ?? "")])).json).toMatchObject(
      {
        error: { code: -50100, message: "Private from does not match enclave public key" },
      },
    );
    // They can neither write to a foreign group, nor learn its nonces.
    const created = await ask(first, "priv_createPrivacyGroup", [{ addresses: [keys[0]] }]);
    const foreign = sign(keys[1] ?? "", String(created.json.result));
    for (const method of ["eea_sendRawTransaction", "priv_distributeRawTransaction"]) {
      expect((await ask(second, method, [foreign])).json).toMatchObject({
        error: { code: -50100, message: "Error communicating with enclave" },
      });
    }
    expect((await ask(keyless, "priv_getLogs", [group, {}])).json).toMatchObject({
      error: { code: -32600, message: "Invalid Request" },
    });
    expect(await ask(undefined, "priv_getLogs", [group, {}])).toMatchObject({ status: 401 });

    async function logIn(username: string): Promise<string> {
      const response = await fetch(`${node.url}/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: PASSWORD }),
      });
      return ((await response.json()) as { token: string }).token;
    }
    async function ask(token: string | undefined, method: string, params: readonly unknown[]) {
      const response = await fetch(node.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      const json = (await response.json()) as { result?: unknown; error?: object };
      return { status: response.status, json };
    }
  });
});

/**
 * The files of a node whose manager has two keys, a tenant for each, and a user without one;
 * returns the keys.
 */
async function makeFiles(folder: TemporaryFolder): Promise<readonly string[]> {
  for (const name of ["a", "b"]) {
    const { code, stderr } = await runProgram(["enclave", "keygen", `--to=${folder.file(name)}`], {
      folder: folder.path,
    });
    if (code !== 0) throw new Error(stderr);
  }
  const keys = ["a", "b"].map((name) => readFileSync(folder.file(`${name}.pub`), "utf8"));
  const hash = await hashPassword(PASSWORD, 4);
  const users = [
    ["a", `privacyPublicKey = "${keys[0]}"`],
    ["b", `privacyPublicKey = "${keys[1]}"`],
    ["keyless", ""],
  ].map(([name, key]) => `[Users.${name}]\npassword = "${hash}"\npermissions = ["*:*"]\n${key}\n`);
  writeFileSync(folder.file("users.toml"), users.join(""), { mode: 0o600 });
  writeFileSync(folder.file("genesis.json"), JSON.stringify(GENESIS));
  const [peerPort, nodePort] = [await freePort(), await freePort()];
  writeFileSync(
    folder.file("enclave.toml"),
    `url = "http://127.0.0.1:${peerPort}/"\npeer-port = ${peerPort}\nnode-port = ${nodePort}\nkey-files = ["a.key", "b.key"]\n`,
  );
  return keys;
}

/** A private transaction from a key to a group, or to itself. */
function sign(key: string, group?: string): string {
  return toHex(
    signPrivateTransaction(
      {
        nonce: 0n,
        gasPrice: 0n,
        gasLimit: 1_000_000n,
        value: 0n,
        data: hexToBytes(creationOf(STORE_CODE)),
        chainId: 1337n,
        privateFrom: Buffer.from(key, "base64"),
        ...(group === undefined
          ? { privateFor: [] }
          : { privacyGroupId: Buffer.from(group, "base64") }),
        restriction: "restricted",
      },
      hexToBytes(RICH_KEY),
    ),
  );
}
