import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientFolder } from "./installed.js";

/** The compiled output of a contract. */
export interface Artifact {
  readonly abi: readonly unknown[];
  readonly bytecode: string;
}

/** Reads what `npm run clients` compiled. */
export function readArtifact(
  name: "Token" | "Safe" | "Vault" | "Failures" | "Art" | "Items",
): Artifact {
  return JSON.parse(readFileSync(join(clientFolder("contracts"), "dist", `${name}.json`), "utf8"));
}
