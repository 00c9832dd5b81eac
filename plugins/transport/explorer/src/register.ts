import type { Dependencies, OptionValues, PluginNode, Runtime } from "@plinth/core";
import { nodePages, upgradeTargets } from "@plinth/kit-http";
import { findListeners } from "./listeners.js";
import type { options } from "./options.js";
import { readPageFiles } from "./page-files.js";
import { pageRoutes } from "./routes.js";

type Config = OptionValues<typeof options>;
type Node = Pick<PluginNode<typeof options, Dependencies>, "contribute" | "hooks" | "http" | "log">;

/** Serves the page, allows it to call the listeners, and logs its address once they are open. */
export function registerExplorer(
  node: Node,
  { explorerHost, explorerPort }: Pick<Config, "explorerHost" | "explorerPort">,
): void {
  let isWsOnHttpPort = false;
  let running: Runtime | undefined;
  const ownPort =
    explorerPort === undefined ? undefined : { host: explorerHost, port: explorerPort };
  const name = ownPort === undefined ? "json-rpc" : "explorer";
  const place = () => ({ isWsOnHttpPort, isOnHttpPort: ownPort === undefined });
  const address = () =>
    running?.rpc.endpoints().find((endpoint) => endpoint.name === name)?.address;

  const files = readPageFiles();
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  node.log.debug(`the page has ${bytes} bytes in ${files.length} files`);
  for (const route of pageRoutes(files, place)) {
    node.http.route(route, ownPort);
  }
  node.contribute(nodePages, { isOnHttpPort: ownPort === undefined, address });
  node.hooks.lifecycle.registered.tap(({ contributions }) => {
    isWsOnHttpPort = contributions(upgradeTargets).length > 0;
  });
  node.hooks.lifecycle.ready.tap(
    (_, runtime) => {
      running = runtime;
      const { http } = findListeners(runtime, place());
      if (http === null) {
        node.log.warn("the explorer shows nothing without JSON-RPC over HTTP: --rpc-http-enabled");
      }
      const bound = address();
      if (bound === undefined) return;
      const scheme = bound.tls === undefined ? "http" : "https";
      node.log.info(`Explorer: ${scheme}://${nameOf(bound.host)}:${bound.port}/explorer`);
    },
    { stage: "late" },
  );
}

/** A host that browsers open: not the address that stands for all of them. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
