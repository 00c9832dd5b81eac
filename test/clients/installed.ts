import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/program.js";

/** The folder of a client's package. */
export function clientFolder(client: string): string {
  return join(ROOT, "test/clients", client);
}

/** Whether `npm run clients` must be run before a client can be tested; reports it if so. */
export function isMissing(client: string, installed = client): boolean {
  const isThere = [
    join(clientFolder(client), "node_modules", installed),
    join(clientFolder("contracts"), "dist"),
  ].every(existsSync);
  if (!isThere) process.stderr.write(`${client} is not installed: run \`npm run clients\`\n`);
  return !isThere;
}
