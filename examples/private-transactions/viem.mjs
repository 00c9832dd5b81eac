// The same as main.mjs, with viem, which has no private transactions, but all the parts to build
// them. Usage: node viem.mjs FOLDER, where `plinth up --privacy --data-path=FOLDER` runs and viem
// is installed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPublicClient, http, keccak256, numberToHex, stringToHex, toRlp } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";

const [folder = "network"] = process.argv.slice(2);
const { nodes, chainId } = JSON.parse(readFileSync(join(folder, "network.json"), "utf8"));
const [first, second, third] = nodes;
// The first of the accounts with published keys.
const privateKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const account = privateKeyToAddress(privateKey);

// Returns its slot 0, or stores its calldata there: 12 bytes of init code, then its code.
const contract = "0x6017600c60003960176000f336600f5760005460005260206000f35b60003560005500";

const privateFrom = first.manager.publicKey;
const privateFor = [second.manager.publicKey];
const client = connect(first);
const deployed = await send({ data: contract });
const { contractAddress: to, privacyGroupId: group } = deployed;
console.log(`contract ${to} of group ${group}`);
const stored = await send({ to, data: numberToHex(42, { size: 32 }) });
console.log(`stored with status ${Number(stored.status)} in block ${Number(stored.blockNumber)}`);

for (const node of [first, second, third]) {
  const reader = connect(node);
  await reader.waitForTransactionReceipt({ hash: stored.commitmentHash });
  const params = [group, { to, data: "0x" }, "latest"];
  const value = await reader.request({ method: "priv_call", params });
  console.log(`${node.name} reads ${value === "0x" ? "nothing" : Number(value)}`);
}

/** Sends a private transaction from node1 to node2; returns its private receipt. */
async function send({ to, data }) {
  const nonce = await client.request({
    method: "priv_getEeaTransactionCount",
    params: [account, privateFrom, privateFor],
  });
  const raw = await signPrivate({ nonce, to, data });
  const marker = await client.request({ method: "eea_sendRawTransaction", params: [raw] });
  await client.waitForTransactionReceipt({ hash: marker });
  return client.request({ method: "priv_getTransactionReceipt", params: [marker] });
}

/** Signs a private transaction to parties; the id of a group replaces the list of parties. */
async function signPrivate({ nonce, to = "0x", data }) {
  const [gasPrice, gas, value] = [0n, 3_000_000n, 0n];
  const payload = [scalar(nonce), scalar(gasPrice), scalar(gas), to, scalar(value), data];
  const parties = [bytes(privateFrom), privateFor.map(bytes), stringToHex("restricted")];
  // The private fields follow the chain id.
  const hash = keccak256(toRlp([...payload, scalar(chainId), "0x", "0x", ...parties]));
  const { r, s, yParity } = await sign({ hash, privateKey });
  const v = 2n * BigInt(chainId) + 35n + BigInt(yParity);
  return toRlp([...payload, scalar(v), scalar(r), scalar(s), ...parties]);
}

/** A number without leading zeros; zero has no bytes. */
function scalar(number) {
  return BigInt(number) === 0n ? "0x" : numberToHex(BigInt(number));
}

/** Keys and group ids are bytes in a transaction, base64 elsewhere. */
function bytes(base64) {
  return `0x${Buffer.from(base64, "base64").toString("hex")}`;
}

function connect({ rpcPort }) {
  // Without retries: each would be another private transaction.
  const transport = http(`http://127.0.0.1:${rpcPort}`, { retryCount: 0 });
  return createPublicClient({ transport, pollingInterval: 200 });
}
