import { openDirectory, openUrl, type SnapshotSource } from "@plinth/kit-snapshot";

/** Opens folders and addresses. */
export function openSources(places: readonly string[]): readonly SnapshotSource[] {
  return places.map((place) =>
    /^https?:\/\//i.test(place) ? openUrl(place) : openDirectory(place),
  );
}
