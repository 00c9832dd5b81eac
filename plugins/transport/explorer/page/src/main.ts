import { fill, h } from "./dom.js";
import { findSockets, LiveHeads } from "./live.js";
import { addNodeArtifacts } from "./node-artifacts.js";
import { updateAges } from "./parts/links.js";
import { Router } from "./router.js";
import { setAddress } from "./rpc.js";
import { addPage, createShell } from "./shell.js";
import { addressView } from "./views/address.js";
import { blockView } from "./views/block.js";
import { blocksView } from "./views/blocks.js";
import { debuggerView, privateDebuggerView } from "./views/debugger.js";
import { doctorView } from "./views/doctor.js";
import { acceptDrops, filesView } from "./views/files.js";
import { groupView } from "./views/group.js";
import { groupsView, hasGroups } from "./views/groups.js";
import { loginView } from "./views/login.js";
import { networkView } from "./views/network.js";
import { overview } from "./views/overview.js";
import { poolView } from "./views/pool.js";
import { tokenView } from "./views/token.js";
import { transactionView } from "./views/transaction.js";

/** The listeners of the node, from the plugin that serves this page. */
interface Listeners {
  readonly http: { readonly port: number; readonly isSecure: boolean } | null;
  readonly ws: { readonly port: number; readonly isSecure: boolean } | null;
  readonly isWsOnHttpPort: boolean;
  readonly isOnHttpPort: boolean;
}

const AGES_MS = 1000;

async function start(): Promise<void> {
  const own = new URL(".", document.baseURI);
  const response = await fetch(new URL("explorer/listeners", own));
  const listeners: Listeners = await response.json();
  if (listeners.http === null) {
    fill(
      document.body,
      h(
        "main",
        {},
        h("h1", {}, "Plinth explorer"),
        h("p", {}, "This node has no JSON-RPC over HTTP: start it with --rpc-http-enabled."),
      ),
    );
    return;
  }
  setAddress(listeners.isOnHttpPort ? own.href : addressOf(listeners.http, own));
  const artifacts = addNodeArtifacts();
  const live = new LiveHeads(findSockets(listeners));
  const main = createShell(live);
  const router = new Router(
    {
      "": overview,
      blocks: blocksView,
      block: blockView,
      tx: transactionView,
      address: addressView,
      token: tokenView,
      pool: poolView,
      network: networkView,
      doctor: doctorView,
      debugger: debuggerView,
      "private-debugger": privateDebuggerView,
      groups: groupsView,
      group: groupView,
      files: filesView,
      login: loginView,
    },
    { main, live },
  );
  // The first view already shows their names.
  await artifacts;
  router.start();
  live.start();
  if (await hasGroups()) addPage("groups", "Private groups");
  acceptDrops(() => void router.show());
  setInterval(updateAges, AGES_MS);
}

function addressOf({ port, isSecure }: NonNullable<Listeners["http"]>, own: URL): string {
  return `http${isSecure ? "s" : ""}://${own.hostname}:${port}/`;
}

void start();
