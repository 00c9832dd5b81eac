import { ConfigError, command, messageOf, option, PlinthError } from "@plinth/core";
import { type NodeKey, nodeKeyDrivers } from "@plinth/core/network";
import { findKeyFile } from "@plinth/plugin-keys-file/api";

const flags = {
  to: option.path({ summary: "Output; standard output by default." }),
  nodePrivateKeyFile: option.path({
    summary: "File of the private key; by default that of the node.",
  }),
  ecCurve: option.oneOf(["secp256k1"], { summary: "Curve of the key.", default: "secp256k1" }),
};

/** A command that prints a property of the node's key. */
export function exportCommand(settings: {
  readonly id: string;
  readonly summary: string;
  readonly examples: readonly string[];
  read(key: NodeKey): string;
}) {
  const { id, summary, examples, read } = settings;
  return command({
    id,
    summary,
    examples,
    flags,
    uses: { points: [nodeKeyDrivers] },
    async run({ flags: { to, nodePrivateKeyFile }, io, driver, dataPath }) {
      const key =
        nodePrivateKeyFile === undefined
          ? await driver(nodeKeyDrivers).open({ dataPath })
          : await readNamedKey(nodePrivateKeyFile);
      await io.write(read(key), to).catch((cause: unknown) => {
        throw new PlinthError("OUTPUT_UNWRITABLE", { message: `cannot write ${to}`, cause });
      });
    },
  });
}

async function readNamedKey(path: string): Promise<NodeKey> {
  const key = await findKeyFile(path).catch((cause: unknown) => {
    throw keyError(`Private key cannot be loaded from file. ${messageOf(cause)}`, cause);
  });
  if (key === undefined) throw keyError(`Private key file doesn't exist: ${path}`);
  return key;
}

function keyError(message: string, cause?: unknown): ConfigError {
  return new ConfigError("KEY_FILE_UNREADABLE", { message, cause });
}
