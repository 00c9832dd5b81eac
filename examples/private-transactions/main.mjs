// A contract shared by node1 and node2, and unknown to node3. Usage: node main.mjs FOLDER, where
// `plinth up --privacy --data-path=FOLDER` runs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";

const [folder = "network"] = process.argv.slice(2);
const { nodes, chainId } = JSON.parse(readFileSync(join(folder, "network.json"), "utf8"));
const [first, second, third] = nodes;
// The first of the accounts with published keys.
const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const key = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

// Returns its slot 0, or stores its calldata there: 12 bytes of init code, then its code.
const contract = "6017600c60003960176000f336600f5760005460005260206000f35b60003560005500";
const word = (value) => value.toString(16).padStart(64, "0");

await loadCrypto();
const parties = [first.manager.publicKey, [second.manager.publicKey]];
const nonce = Number(await ask(first, "priv_getEeaTransactionCount", [account, ...parties]));
const deployed = await send({ nonce, data: contract });
const { contractAddress: to, privacyGroupId: group } = deployed;
console.log(`contract ${to} of group ${group}`);
const stored = await send({ nonce: nonce + 1, to, data: word(42) });
console.log(`stored with status ${Number(stored.status)} in block ${Number(stored.blockNumber)}`);

for (const node of [first, second, third]) {
  await mined(node, stored.commitmentHash);
  const value = await ask(node, "priv_call", [group, { to, data: "0x" }, "latest"]);
  console.log(`${node.name} reads ${value === "0x" ? "nothing" : Number(value)}`);
}

/** Sends a private transaction from node1 to node2; returns its private receipt. */
async function send({ nonce, to, data }) {
  const raw = signPrivateTransaction(
    {
      nonce: BigInt(nonce),
      gasPrice: 0n,
      gasLimit: 3_000_000n,
      to,
      value: 0n,
      data: hexToBytes(data),
      chainId: BigInt(chainId),
      privateFrom: Buffer.from(first.manager.publicKey, "base64"),
      privateFor: [Buffer.from(second.manager.publicKey, "base64")],
      restriction: "restricted",
    },
    hexToBytes(key),
  );
  const marker = await ask(first, "eea_sendRawTransaction", [toHex(raw)]);
  await mined(first, marker);
  return ask(first, "priv_getTransactionReceipt", [marker]);
}

/** Waits until a node has the block of a public transaction. */
async function mined(node, hash) {
  while ((await ask(node, "eth_getTransactionReceipt", [hash])) === null) await sleep(200);
}

async function ask({ rpcPort }, method, params) {
  const response = await fetch(`http://127.0.0.1:${rpcPort}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${error.message} (${error.code})`);
  return result;
}
