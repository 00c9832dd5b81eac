import { openDirectory } from "./directory-source.js";
import type { SnapshotSource } from "./source.js";
import { openUrl } from "./url-source.js";

/** Opens a snapshot by its folder or its address. */
export function openSource(place: string): SnapshotSource {
  return /^https?:\/\//i.test(place) ? openUrl(place) : openDirectory(place);
}
