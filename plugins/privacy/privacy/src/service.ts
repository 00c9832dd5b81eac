import { defineService } from "@plinth/core";
import type { PrivacyNode } from "./privacy-node.js";

/** Private transactions of a node. */
export interface Privacy {
  /** `undefined` while private transactions are not enabled. */
  readonly node: PrivacyNode | undefined;
}

/** Private transactions of this node. */
export const privacy = defineService<Privacy>("privacy", { hint: "@plinth/plugin-privacy" });
