import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError } from "@plinth/core";
import { type ConfigFile, loadConfigFile } from "./config-file.js";

const SHIPPED = fileURLToPath(new URL("../profiles", import.meta.url));

/** Reads a profile shipped with the program, or one of the operator in `$PLINTH_HOME/profiles`. */
export async function loadProfile(name: string, home: string | undefined): Promise<ConfigFile> {
  const folders = home === undefined ? [SHIPPED] : [SHIPPED, join(home, "profiles")];
  const file = `${name.toLowerCase()}.toml`;
  const path = folders
    .map((folder) => join(folder, file))
    .find((candidate) => existsSync(candidate));
  if (path !== undefined && /^[a-z0-9_-]+$/i.test(name)) return loadConfigFile(path);
  const known = folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  const names = known.filter((entry) => entry.endsWith(".toml")).map((entry) => entry.slice(0, -5));
  throw new ConfigError("PROFILE_UNKNOWN", {
    message: `Unable to load external profile: ${name}; there are ${names.join(", ")}`,
    option: "profile",
  });
}
