import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { defineContributionPoint } from "@plinth/core";

/** Takes over connections that ask a listener for another protocol than HTTP. */
export interface UpgradeTarget {
  /** Whether it takes them now. */
  readonly isOpen: boolean;
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Where a WebSocket listener puts itself to be reached on the port for HTTP as well. */
export const upgradeTargets = defineContributionPoint<UpgradeTarget>("kit-http.upgrades", {
  summary: "Takes over connections of the HTTP listener that ask for a WebSocket.",
});
