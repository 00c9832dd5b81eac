import { type CommandIo, ConfigError, command, option, PlinthError } from "@plinth/core";
import { engines, extraDataCodecs } from "@plinth/core/consensus";
import { verifyTarget } from "@plinth/core/kernel";
import { IndentedJson } from "@plinth/core/primitives";
import { encodeExtraData } from "./encode-extra-data.js";
import { formatMembers, type JsonMember } from "./json-members.js";
import { type Curve, createKeys, type NodeKeys, readPublicKey } from "./key-pairs.js";
import { isExtraData, type NetworkInput, parseInput } from "./read-input.js";
import { writeNetwork } from "./write-network.js";

/** `operator generate-blockchain-config`: genesis file and keys of a new network. */
export const generateBlockchainConfig = command({
  id: "operator generate-blockchain-config",
  summary: "Creates the genesis file and the keys of a network with IBFT 2.0 or QBFT.",
  examples: [
    "plinth operator generate-blockchain-config --config-file=config.json --to=network",
    "plinth operator generate-blockchain-config --config-file=config.json --to=network --private-key-file-name=key",
  ],
  flags: {
    configFile: option.path({ summary: "JSON file with `genesis` and `blockchain`." }),
    to: option.path({ summary: "Folder for the output; it must be empty or missing." }),
    genesisFileName: option.text({ summary: "Name of the genesis file.", default: "genesis.json" }),
    privateKeyFileName: option.text({
      summary: "Name of the files with private keys.",
      default: "key.priv",
    }),
    publicKeyFileName: option.text({
      summary: "Name of the files with public keys.",
      default: "key.pub",
    }),
  },
  uses: { points: [engines, extraDataCodecs] },
  async run({ flags, io, contributions }) {
    const configFile = required("config-file", "FILE", flags.configFile);
    const to = required("to", "DIRECTORY", flags.to);
    const names = {
      genesis: flags.genesisFileName,
      privateKey: flags.privateKeyFileName,
      publicKey: flags.publicKeyFileName,
    };
    verifyNames(Object.values(names));
    await verifyTarget(to);
    const input = parseInput(await readInput(io, configFile));
    const keys = await prepareKeys(input, io);
    verifyDistinct(keys);
    const extraData = await encodeExtraData(input, keys, {
      engines: contributions(engines),
      codecs: contributions(extraDataCodecs),
      io,
    });
    await io.write("Writing genesis file.");
    const genesis = new IndentedJson().push(formatMembers(withExtraData(input.genesis, extraData)));
    await writeNetwork(to, { genesis, keys }, names);
  },
});

function required(name: string, placeholder: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new ConfigError("OPTION_MISSING", {
    message: `Missing required option: '--${name}=<${placeholder}>'`,
    option: name,
  });
}

function verifyNames(names: readonly string[]): void {
  if (new Set(names).size < names.length) {
    throw new PlinthError("INPUT_INVALID", { message: "Output file paths must be unique." });
  }
  const wrong = names.find((name) => !/^[^/\\]+$/.test(name) || /^\.\.?$/.test(name));
  if (wrong === undefined) return;
  throw new PlinthError("INPUT_INVALID", {
    message: `"${wrong}" is not the name of a file; expected one without folders`,
  });
}

function readInput(io: CommandIo, path: string): Promise<string> {
  return io.read(path).catch((cause: unknown) => {
    throw new PlinthError("INPUT_UNREADABLE", {
      message: `An error occurred while trying to generate network configuration: cannot read ${path}`,
      cause,
    });
  });
}

async function prepareKeys(
  { nodes, curve }: NetworkInput,
  io: CommandIo,
): Promise<readonly NodeKeys[]> {
  const keys: NodeKeys[] = [];
  if ("count" in nodes) {
    await io.write(`Generating ${nodes.count} nodes keys.`);
    for (let node = 0; node < nodes.count; node++) {
      await io.write(`Generating keypair for node ${node}.`);
      keys.push(await createKeys(curve));
    }
  } else {
    await io.write("Importing public keys from configuration.");
    for (const key of nodes.keys) keys.push(await importKey(key, curve, io));
  }
  if (curve !== "secp256k1") {
    await io.write(`This network needs nodes that support ${curve}: Plinth supports secp256k1.`);
  }
  return keys;
}

async function importKey(key: unknown, curve: Curve, io: CommandIo): Promise<NodeKeys> {
  const keys = await readPublicKey(key, curve);
  await io.write(`Public key imported from configuration.(${keys.publicKey})`);
  return keys;
}

function verifyDistinct(keys: readonly NodeKeys[]): void {
  const twice = keys.find(({ address }, at) => keys.findIndex((k) => k.address === address) < at);
  if (twice === undefined) return;
  throw new PlinthError("INPUT_INVALID", {
    message: `blockchain.nodes.keys lists ${twice.publicKey} twice`,
  });
}

function withExtraData(
  genesis: readonly JsonMember[],
  extraData: string | undefined,
): readonly JsonMember[] {
  if (extraData === undefined) return genesis;
  const value = JSON.stringify(extraData);
  if (!genesis.some(isExtraData)) return [...genesis, { key: "extraData", value }];
  return genesis.map((member) => (isExtraData(member) ? { ...member, value } : member));
}
