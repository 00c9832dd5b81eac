import { privacy } from "@plinth/plugin-privacy/api";

/** The privacy service of the node. */
export const dependencies = { privacy } as const;
