import { defineService } from "@plinth/core";
import type { PrivacyNode } from "./privacy-node.js";

/** The privacy service of a node. */
export interface Privacy {
  /** `undefined` unless private transactions are enabled. */
  readonly node: PrivacyNode | undefined;
}

/** The private transactions of this node. */
export const privacy = defineService<Privacy>("privacy", { hint: "@plinth/plugin-privacy" });
