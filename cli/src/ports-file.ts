import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { LocalNode } from "@plinth/core/network";
import type { Endpoint, ListenAddress } from "@plinth/core/rpc";

/**
 * Writes the actual ports into the data folder, for configurations with port 0; the returned
 * function removes it.
 */
export async function writePortsFile(
  dataPath: string,
  endpoints: readonly Endpoint[],
  localNode: LocalNode | undefined,
): Promise<() => Promise<void>> {
  const path = join(dataPath, "plinth.ports");
  const lines = endpoints.flatMap(({ name, address }) =>
    address === undefined ? [] : [`${name}=${address.port}`, ...describeTls(name, address)],
  );
  const { enode, listening } = localNode ?? {};
  if (listening !== undefined) lines.push(`p2p=${listening.port}`);
  if (listening !== undefined && enode?.udpPort !== 0) lines.push(`discovery=${listening.port}`);
  const head = [
    "# Ports of the running node. Removed when it stops.",
    `# ${new Date().toISOString()}`,
  ];
  await writeFile(path, `${[...head, ...lines].join("\n")}\n`);
  return () => rm(path, { force: true });
}

/** The certificate by which clients on this machine verify the listener. */
function describeTls(name: string, { tls }: ListenAddress): readonly string[] {
  if (tls === undefined) return [];
  const { certificateFile } = tls;
  return [`${name}-tls=${certificateFile === undefined ? "keystore" : resolve(certificateFile)}`];
}
