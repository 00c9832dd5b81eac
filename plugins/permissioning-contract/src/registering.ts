import type { PluginNode } from "@plinth/core";

/** Where rules are tapped in. */
// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
export type Hooks = PluginNode<{}, {}>["hooks"];
