import { readFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { ConfigError, messageOf, type OptionValues } from "@plinth/core";
import { Configuration, closestTo, type Layer, OptionSchema } from "@plinth/core/kernel";
import { settings } from "./settings.js";

/** A parsed configuration file of a manager. */
export type EnclaveSettings = OptionValues<typeof settings> & {
  readonly url: string;
  readonly dataPath: string;
  readonly tlsKnownServersFile: string;
  readonly tlsKnownClientsFile: string;
};

/**
 * Reads the configuration file of a manager, TOML or JSON; relative paths are resolved against its
 * folder.
 */
export async function readSettings(path: string): Promise<EnclaveSettings> {
  const schema = new OptionSchema();
  schema.declare("enclave", settings);
  const entries = new Map(
    Object.entries(await parse(path)).map(([key, value]) => {
      if (schema.find(key) === undefined) throw unknownKey(path, key, schema);
      return [key, { value, label: path }] as const;
    }),
  );
  const layer: Layer = { source: "file", label: path, entries, folder: dirname(resolve(path)) };
  const values = new Configuration(schema, [layer]).valuesOf(settings);
  const { url, peers = [] } = values;
  if (url === undefined || !URL.canParse(url)) {
    throw invalid(path, "url", "the URL at which other managers reach this one");
  }
  const wrong = peers.find((peer) => !URL.canParse(peer));
  if (wrong !== undefined) throw invalid(path, "peers", `the URL of a manager instead of ${wrong}`);
  const beside = (name: string) => join(dirname(resolve(path)), name);
  return {
    ...values,
    url,
    dataPath: values.dataPath ?? beside("enclave-data"),
    tlsKnownServersFile: values.tlsKnownServersFile ?? beside("known-servers"),
    tlsKnownClientsFile: values.tlsKnownClientsFile ?? beside("known-clients"),
  };
}

function invalid(path: string, option: string, expected: string): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for ${option} (from ${path}): expected ${expected}, such as http://127.0.0.1:9001/`,
    option,
  });
}

async function parse(path: string): Promise<object> {
  try {
    const text = await readFile(path, "utf8");
    if (extname(path) === ".json") return Object(JSON.parse(text));
    const { parse: parseToml } = await import("smol-toml");
    return parseToml(text);
  } catch (error) {
    throw new ConfigError("ENCLAVE_CONFIG_UNREADABLE", {
      message: `The configuration of the private transaction manager cannot be read: ${messageOf(error).split("\n")[0]} (${path})`,
      path,
      cause: error,
    });
  }
}

function unknownKey(path: string, key: string, schema: OptionSchema): ConfigError {
  const known = schema.all().map(({ name }) => name);
  const [similar] = closestTo(key, known);
  const hint = similar === undefined ? `known are ${known.join(", ")}` : `did you mean ${similar}?`;
  return new ConfigError("OPTION_UNKNOWN", {
    message: `Unknown key ${key} in ${path}; ${hint}`,
    option: key,
  });
}
