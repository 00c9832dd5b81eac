// The same as main.mjs, with ethers 6, which has no private transactions, but all the parts to
// build them. Usage: node ethers.mjs FOLDER, where `plinth up --privacy --data-path=FOLDER` runs
// and ethers is installed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  computeAddress,
  decodeBase64,
  encodeRlp,
  JsonRpcProvider,
  keccak256,
  SigningKey,
  toBeArray,
  toBeHex,
  toUtf8Bytes,
} from "ethers";

const [folder = "network"] = process.argv.slice(2);
const { nodes, chainId } = JSON.parse(readFileSync(join(folder, "network.json"), "utf8"));
const [first, second, third] = nodes;
// The first of the accounts with published keys.
const key = new SigningKey("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
const account = computeAddress(key.publicKey);

// Returns its slot 0, or stores its calldata there: 12 bytes of init code, then its code.
const contract = "0x6017600c60003960176000f336600f5760005460005260206000f35b60003560005500";

const privateFrom = first.manager.publicKey;
const privateFor = [second.manager.publicKey];
const provider = connect(first);
const deployed = await send({ data: contract });
const { contractAddress: to, privacyGroupId: group } = deployed;
console.log(`contract ${to} of group ${group}`);
const stored = await send({ to, data: toBeHex(42, 32) });
console.log(`stored with status ${Number(stored.status)} in block ${Number(stored.blockNumber)}`);

for (const node of [first, second, third]) {
  const reader = connect(node);
  await reader.waitForTransaction(stored.commitmentHash);
  const value = await reader.send("priv_call", [group, { to, data: "0x" }, "latest"]);
  console.log(`${node.name} reads ${value === "0x" ? "nothing" : Number(value)}`);
  reader.destroy();
}
provider.destroy();

/** Sends a private transaction from node1 to node2; returns its private receipt. */
async function send({ to, data }) {
  const count = [account, privateFrom, privateFor];
  const nonce = await provider.send("priv_getEeaTransactionCount", count);
  const raw = signPrivate({ nonce, to, data });
  const marker = await provider.send("eea_sendRawTransaction", [raw]);
  await provider.waitForTransaction(marker);
  return provider.send("priv_getTransactionReceipt", [marker]);
}

/** Signs a private transaction to parties; the id of a group replaces the list of parties. */
function signPrivate({ nonce, to = "0x", data }) {
  const [gasPrice, gas, value] = [0n, 3_000_000n, 0n];
  const payload = [scalar(nonce), scalar(gasPrice), scalar(gas), to, scalar(value), data];
  // Keys and group ids are bytes in a transaction, base64 elsewhere.
  const others = privateFor.map((party) => decodeBase64(party));
  const parties = [decodeBase64(privateFrom), others, toUtf8Bytes("restricted")];
  // The private fields follow the chain id.
  const hash = keccak256(encodeRlp([...payload, scalar(chainId), "0x", "0x", ...parties]));
  const { r, s, yParity } = key.sign(hash);
  const v = 2n * BigInt(chainId) + 35n + BigInt(yParity);
  return encodeRlp([...payload, scalar(v), scalar(r), scalar(s), ...parties]);
}

/** A number without leading zeros; zero has no bytes. */
function scalar(number) {
  return toBeArray(number);
}

function connect({ rpcPort }) {
  const settings = { staticNetwork: true, polling: true, pollingInterval: 200 };
  return new JsonRpcProvider(`http://127.0.0.1:${rpcPort}`, undefined, settings);
}
