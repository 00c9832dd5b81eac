import { openDirectory, openUrl, type SnapshotSource } from "@plinth/kit-snapshot";

/** Opens a snapshot by its folder or its address. */
export function openSource(place: string): SnapshotSource {
  return /^https?:\/\//i.test(place) ? openUrl(place) : openDirectory(place);
}
