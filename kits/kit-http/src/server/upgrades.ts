import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { defineContributionPoint } from "@plinth/core";

/** Takes over connections that request an upgrade from HTTP to another protocol. */
export interface UpgradeTarget {
  /** Whether it currently accepts them. */
  readonly isOpen: boolean;
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The contribution point for a WebSocket listener that also serves the HTTP port. */
export const upgradeTargets = defineContributionPoint<UpgradeTarget>("kit-http.upgrades", {
  summary: "Takes over WebSocket upgrades of the HTTP listener.",
});
