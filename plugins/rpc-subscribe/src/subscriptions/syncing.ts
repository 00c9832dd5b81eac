import type { Topic } from "./topic.js";

/** `syncing`: changes of the state of synchronisation, of which a node without peers has none. */
export function syncing(): Topic {
  return {};
}
