import sodium from "libsodium-wrappers";

/** What of libsodium is used. */
export type Sodium = typeof sodium;

/** Resolves when the library can be used. */
export async function loadSodium(): Promise<Sodium> {
  await sodium.ready;
  return sodium;
}
