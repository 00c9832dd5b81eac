import { mkdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type CommandContext, ConfigError, loadCrypto, messageOf, PlinthError } from "@plinth/core";
import { type OptionSchema, verifyTarget, writeFolder } from "@plinth/core/kernel";
import { findInstallation, type Installation } from "./find-installation.js";
import type { flags as declared } from "./flags.js";
import { findPrivateKey, planFiles } from "./plan-files.js";
import { formatReport } from "./report.js";
import { translateOptions } from "./translate-options.js";

type Context = CommandContext<typeof declared>;

/**
 * Writes the configuration of a node that replaces a Besu node, and reports what has no
 * counterpart; returns its folder.
 */
export async function migrate(
  { flags, args: [given = ""], io, checkGenesis }: Context,
  schema: OptionSchema,
): Promise<string> {
  if (flags.to === undefined) throw withoutTarget();
  const to = resolve(flags.to);
  await verifyOutside(resolve(given), to);
  await verifyTarget(to);
  const installation = await find(resolve(given), {
    config: flags.configFile,
    genesis: flags.genesisFile,
    key: flags.nodePrivateKeyFile,
  });
  if (installation.genesis === undefined && !installation.options.has("network")) {
    throw withoutGenesis(installation.folder);
  }
  const options = translateOptions(installation.options, schema);
  const { files, lost } = await planFiles(installation, to, options.kept);
  const findings = await check(installation, checkGenesis);
  const address = await findAddress(installation.key);
  const report = formatReport({
    installation,
    to,
    options,
    findings,
    address,
    lostFiles: lost,
  });
  await mkdir(dirname(to), { recursive: true });
  await writeFolder(to, [{ path: "README.md", content: report }, ...files]);
  await io.write(report.trimEnd());
  return to;
}

/** Throws if the files would be written among those of the Besu node, also via a link. */
async function verifyOutside(folder: string, to: string): Promise<void> {
  const way = relative(await followLinks(folder), await followLinks(to));
  if (way.split(sep)[0] === "..") return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--to': ${to} is inside ${folder}, where nothing is changed; choose a folder elsewhere`,
    option: "to",
  });
}

/** The real path of a file or folder, whose last parts may be missing. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (Object(error).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(await followLinks(dirname(path)), basename(path));
  }
}

async function find(folder: string, named: Parameters<typeof findInstallation>[1]) {
  try {
    return await findInstallation(folder, named);
  } catch (cause) {
    if (cause instanceof PlinthError) throw cause;
    throw new PlinthError("INPUT_UNREADABLE", {
      message: `cannot read ${folder}: ${messageOf(cause)}`,
      cause,
    });
  }
}

async function check({ genesis }: Installation, checkGenesis: Context["checkGenesis"]) {
  if (genesis === undefined) return [];
  try {
    return await checkGenesis(JSON.parse(await readFile(genesis, "utf8")), genesis);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new PlinthError("INPUT_INVALID", {
      message: `${genesis} is not JSON: ${messageOf(cause)}`,
      cause,
    });
  }
}

/** The key itself is never shown. */
async function findAddress(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const key = findPrivateKey(await readFile(path, "utf8"));
  if (key === undefined) {
    throw new PlinthError("KEY_FILE_INVALID", {
      message: `${path} does not contain a private key; set the right file with --node-private-key-file`,
      path,
    });
  }
  const crypto = await loadCrypto();
  return crypto.addressOf(crypto.publicKeyOf(key));
}

function withoutTarget(): ConfigError {
  return new ConfigError("OPTION_MISSING", {
    message: "Missing required option: '--to=<PATH>'",
    option: "to",
  });
}

function withoutGenesis(folder: string): ConfigError {
  return new ConfigError("OPTION_MISSING", {
    message: `no genesis file is in ${folder}, and its options select no network; set it with --genesis-file`,
    option: "genesis-file",
  });
}
