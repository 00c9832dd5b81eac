import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TemporaryFolder } from "../support/temporary-folder.js";
import { clientFolder } from "./installed.js";

const FOUNDRY = clientFolder("foundry");

/** A copy of the project, which forge may write to. */
export function openForgeProject(folder: TemporaryFolder) {
  const project = folder.file("project");
  cpSync(join(FOUNDRY, "project"), project, { recursive: true });
  cpSync(join(clientFolder("contracts"), "src"), join(project, "src"), { recursive: true });
  const run = async (program: string, words: readonly string[], variables: object = {}) => {
    const env = { PATH: process.env.PATH, HOME: folder.path, ...variables };
    const settings = { cwd: project, env };
    return promisify(execFile)(join(FOUNDRY, "node_modules/.bin", program), [...words], settings);
  };
  const compiler = ["--offline", "--use", join(FOUNDRY, "solc.mjs")];
  const forge = ([command = "", ...words]: readonly string[], variables?: object) =>
    run("forge", [command, ...compiler, ...words], variables);
  const readBroadcast = (script: string): Broadcast =>
    JSON.parse(readFileSync(join(project, "broadcast", script, "1337/run-latest.json"), "utf8"));
  return { forge, readBroadcast, cast: (words: readonly string[]) => run("cast", words) };
}

export type ForgeProject = ReturnType<typeof openForgeProject>;

/** What a script has sent. */
interface Broadcast {
  readonly receipts: readonly { readonly status: string }[];
  readonly returns: { readonly token: { readonly value: string } };
}
