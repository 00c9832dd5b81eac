import { privacy } from "@plinth/plugin-privacy/api";

/** Private transactions of the node. */
export const dependencies = { privacy } as const;
