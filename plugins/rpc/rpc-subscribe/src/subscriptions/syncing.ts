import { syncState } from "@plinth/kit-rpc";
import type { Topic } from "./topic.js";

/** `syncing`: the sync status, whenever the node falls behind its peers or has caught up. */
export function syncing(): Topic {
  return { ofSync: (progress) => syncState.encode(progress) };
}
