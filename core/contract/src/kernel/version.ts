import { createRequire } from "node:module";

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch_64" };

/** The version of the running core. */
export function coreVersion(): string {
  return createRequire(import.meta.url)("@plinth/core/package.json").version;
}

/** `plinth/v0.1.0/linux-x86_64/node-20`, with the optional identity after the name. */
export function formatClientVersion(version: string, identity?: string): string {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const runtime = `node-${process.versions.node.split(".")[0]}`;
  const name = identity === undefined ? "plinth" : `plinth/${identity}`;
  return `${name}/v${version}/${process.platform}-${architecture}/${runtime}`;
}
