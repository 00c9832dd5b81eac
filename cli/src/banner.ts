import { availableParallelism, totalmem } from "node:os";
import type { Node } from "@plinth/node";

/** The overview printed at startup: the program and its configuration. */
export function formatBanner(node: Node): string {
  const { config, ordered } = node.prepared;
  const show = (key: string) => String(config.get(key));
  const list = (key: string) => (config.get(key) as readonly string[]).join(",");
  const lines = [
    `Plinth ${node.version}`,
    "",
    `Client: ${node.clientVersion}`,
    `Network: ${config.origin("genesisFile").source === "profile" ? "Dev" : "Custom genesis file"}`,
    `Data: ${show("dataPath")} (${show("keyValueStorage")})`,
    ...(config.get("rpcHttpEnabled") === true
      ? [`RPC HTTP APIs: ${list("rpcHttpApi")}`, `RPC HTTP port: ${show("rpcHttpPort")}`]
      : []),
    ...(config.get("rpcWsEnabled") === true
      ? [`RPC WS APIs: ${list("rpcWsApi")}`, `RPC WS port: ${show("rpcWsPort")}`]
      : []),
    `Host: Node.js ${process.versions.node}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Plugins: ${ordered.length} (plinth plugins order lists them)`,
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const rule = "#".repeat(width + 4);
  return [rule, ...lines.map((line) => `# ${line.padEnd(width)} #`), rule].join("\n");
}
