import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { LocalNode } from "@plinth/core/network";
import type { Endpoint, ListenAddress } from "@plinth/core/rpc";

/** Writes the real ports into the data folder, for those who asked for port 0; the answer removes it. */
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

/** By which certificate clients of this machine know the listener. */
function describeTls(name: string, { tls }: ListenAddress): readonly string[] {
  if (tls === undefined) return [];
  const { certificateFile } = tls;
  return [`${name}-tls=${certificateFile === undefined ? "keystore" : resolve(certificateFile)}`];
}
