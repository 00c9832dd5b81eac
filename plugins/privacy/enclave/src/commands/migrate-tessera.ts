import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ConfigError, command, messageOf, option } from "@plinth/core";
import { readTessera, type TesseraConfiguration } from "./tessera-configuration.js";

const ONLY_OWNER = 0o600;
const PASSWORDS = "passwords.txt";

/** `enclave migrate tessera`: writes a configuration with keys for our manager. */
export const migrateTessera = command({
  id: "enclave migrate tessera",
  summary: "Writes a configuration for this manager from the one of a Tessera, with its keys.",
  examples: ["plinth enclave migrate tessera /opt/tessera --to=enclave"],
  flags: {
    to: option.path({ summary: "The folder to create; it must not exist.", default: "enclave" }),
  },
  args: {
    placeholder: "DIR",
    summary: "The folder of the Tessera with its config.json, or the configuration file itself.",
    min: 1,
    max: 1,
  },
  uses: {},
  async run({ flags: { to }, args: [from = ""], io }) {
    const path = await findConfiguration(resolve(from));
    const tessera = readTessera(await readText(path), dirname(path));
    if (existsSync(to)) throw refused(`${to} exists already`);
    const temporary = `${to}.${process.pid}.new`;
    try {
      await mkdir(temporary, { recursive: true });
      await write(temporary, tessera);
      await rename(temporary, to);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    for (const line of report(tessera, to)) await io.write(line);
  },
});

async function findConfiguration(from: string): Promise<string> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined) throw refused(`${from} does not exist`);
  return found.isDirectory() ? join(from, "config.json") : from;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw refused(messageOf(error));
  }
}

async function write(folder: string, tessera: TesseraConfiguration): Promise<void> {
  const names: string[] = [];
  for (const [index, key] of tessera.keys.entries()) {
    const name = "path" in key ? `${index}-${basename(key.path)}` : `${index}-tm.key`;
    const target = join(folder, name);
    if ("path" in key) await copyFile(key.path, target);
    else await writeFile(target, key.text, { mode: ONLY_OWNER });
    await chmod(target, ONLY_OWNER);
    names.push(name);
  }
  const hasPasswords = await writePasswords(join(folder, PASSWORDS), tessera);
  const values: Readonly<Record<string, unknown>> = {
    url: tessera.url,
    "peer-host": tessera.peer.host,
    "peer-port": tessera.peer.port,
    "node-host": tessera.node.host,
    "node-port": tessera.node.port,
    "data-path": "data",
    "key-files": names,
    ...(hasPasswords ? { "password-file": PASSWORDS } : {}),
    peers: tessera.peers,
    "always-send-to": tessera.alwaysSendTo,
    "remote-key-validation": true,
    "peer-discovery": tessera.discovers,
    "peer-allowlist": tessera.servesPeersOnly,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  await writeFile(join(folder, "enclave.toml"), `${lines.join("\n")}\n`);
}

async function writePasswords(
  target: string,
  { passwords, passwordFile }: TesseraConfiguration,
): Promise<boolean> {
  if (passwordFile === undefined && passwords.length === 0) return false;
  const text =
    passwordFile === undefined ? `${passwords.join("\n")}\n` : await readText(passwordFile);
  await writeFile(target, text, { mode: ONLY_OWNER });
  return true;
}

function report(tessera: TesseraConfiguration, to: string): readonly string[] {
  return [
    `Written: ${to} with ${tessera.keys.length === 1 ? "a key" : `${tessera.keys.length} keys`}. Start it with: plinth enclave --config-file=${join(to, "enclave.toml")}`,
    "The payloads of the Tessera are not read: start the manager, then have its peers send them again with: plinth enclave resend",
    "Its privacy groups are not read either: members that run Plinth send them back with the first payload of each group. plinth enclave status counts the known groups, and lists unknown groups that payloads name.",
    ...(tessera.validatesKeys
      ? []
      : [
          "remote-key-validation is enabled, which the Tessera had not: groups and payloads are accepted back only from managers that prove to hold their keys, as every Tessera can.",
        ]),
    ...tessera.without.map((name) => `Without a counterpart: ${name}`),
  ];
}

function refused(problem: string): ConfigError {
  return new ConfigError("ENCLAVE_NOT_MIGRATED", {
    message: `Cannot migrate this Tessera: ${problem}`,
  });
}
