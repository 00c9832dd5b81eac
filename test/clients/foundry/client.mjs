import { execFile, spawn } from "node:child_process";
import { on } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openRelay } from "./relay.mjs";

const CAST = fileURLToPath(new URL("node_modules/.bin/cast", import.meta.url));
const TRANSFER = "Transfer(address,address,uint256)";

/** What a developer would do with `cast` in a shell. */
export function connect({ url, wsUrl, account }) {
  const ask = (command, ...words) => cast(command, "--rpc-url", url, "--json", ...words);
  const send = (...words) => ask("send", "--poll-interval", "1", "--private-key", ...words);
  const running = [];

  return {
    async deploy({ abi, bytecode }, args) {
      const signature = signatureOf(entryOf(abi, "constructor"), "constructor");
      const receipt = await send(account.key, "--create", bytecode, signature, ...args);
      return cast("to-check-sum-address", receipt.contractAddress);
    },
    async read({ contract, address, name, args }) {
      const entry = entryOf(contract.abi, "function", name);
      const signature = `${signatureOf(entry)}(${typesOf(entry.outputs)})`;
      return valuesOf(entry.outputs, await ask("call", address, signature, ...args))[0];
    },
    async write({ contract, address, name, args }) {
      const signature = signatureOf(entryOf(contract.abi, "function", name));
      return BigInt((await send(account.key, address, signature, ...args)).gasUsed);
    },
    async sendLegacy(to, value) {
      await send(account.key, "--legacy", to, "--value", value);
    },
    async send(to, value) {
      await send(account.key, to, "--value", value);
    },
    async fees() {
      const [gasPrice, baseFee] = await Promise.all(
        ["gas-price", "base-fee"].map((name) => cast(name, "--rpc-url", url)),
      );
      return { gasPrice: BigInt(gasPrice), baseFee: BigInt(baseFee) };
    },
    async estimate({ contract, address, name, args }) {
      const signature = signatureOf(entryOf(contract.abi, "function", name));
      const call = [address, signature, ...args, "--from", account.address];
      return BigInt(await cast("estimate", ...call, "--rpc-url", url));
    },
    async transfers({ abi }, address) {
      const logs = await ask("logs", "--address", address, "--from-block", "0", TRANSFER);
      return Promise.all(logs.map((log) => transferOf(abi, log)));
    },
    async subscribe({ abi }, address) {
      const relay = await openRelay(wsUrl);
      const words = ["logs", "--subscribe", "--address", address, TRANSFER];
      const child = spawn(CAST, [...words, "--rpc-url", relay.url], { stdio: "pipe" });
      running.push(child, relay);
      const lines = on(createInterface(child.stdout), "line");
      await relay.subscribed;
      return readTransfers(abi, lines);
    },
    async revert({ contract, address, name, args }) {
      const entry = entryOf(contract.abi, "function", name);
      const call = [address, signatureOf(entry), ...args, "--from", account.address];
      const [, data] = /data: "(0x\w+)"/.exec(await failure(ask("call", ...call)));
      return decodeError(contract.abi, data);
    },
    async refusal({ from, to, value, nonce, gas }) {
      const fields = { value, nonce, "gas-limit": gas };
      const words = Object.entries(fields).filter(([, field]) => field !== undefined);
      const sent = send(from.key, to, ...words.flatMap(([name, field]) => [`--${name}`, field]));
      return /error code -?\d+/.exec(await failure(sent))?.[0];
    },
    async [Symbol.asyncDispose]() {
      for (const one of running) one.kill();
    },
  };
}

async function cast(...words) {
  const { stdout } = await promisify(execFile)(CAST, words.map(String));
  return words.includes("--json") ? JSON.parse(stdout) : stdout.trim();
}

function failure(promise) {
  return promise.then(JSON.stringify, ({ stderr }) => stderr);
}

/** Text, because `cast` prints JSON without line breaks, and therefore not before it ends. */
async function* readTransfers(abi, lines) {
  let text = "";
  for await (const [line] of lines) {
    text += `${line}\n`;
    if (!line.includes("transactionIndex")) continue;
    const [, data, ...topics] = text.match(/\b0x\w{64}\b/g);
    yield [await transferOf(abi, { data, topics: topics.slice(0, 3) })];
    text = "";
  }
}

/** The words of the topics and of the data are concatenated and encoded like arguments. */
async function transferOf(abi, { topics, data }) {
  const { inputs } = entryOf(abi, "event", "Transfer");
  const words = [...topics.slice(1), data].map((word) => word.slice(2)).join("");
  const decoded = await cast("decode-abi", `f()(${typesOf(inputs)})`, `0x${words}`, "--json");
  const [from, to, value] = valuesOf(inputs, decoded);
  return { from, to, value };
}

async function decodeError(abi, data) {
  for (const entry of abi.filter(({ type }) => type === "error")) {
    const signature = signatureOf(entry);
    if (!data.startsWith(await cast("sig", signature))) continue;
    const decoded = await cast("decode-error", "--sig", signature, data, "--json");
    return { name: entry.name, args: valuesOf(entry.inputs, decoded) };
  }
  throw new Error(`no error of the contract has the selector of ${data}`);
}

function entryOf(abi, type, name) {
  return abi.find((entry) => entry.type === type && entry.name === name);
}

function typesOf(parameters) {
  return parameters.map(({ type }) => type).join(",");
}

function signatureOf({ name, inputs }, called = name) {
  return `${called}(${typesOf(inputs)})`;
}

function valuesOf(parameters, decoded) {
  return decoded.map((value, at) => (parameters[at].type.includes("int") ? BigInt(value) : value));
}
