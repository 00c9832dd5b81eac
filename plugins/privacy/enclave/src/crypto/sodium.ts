/** What of libsodium is used. */
export type Sodium = typeof import("libsodium-wrappers").default;

/** Loads the library, which takes long, and resolves when it can be used. */
export async function loadSodium(): Promise<Sodium> {
  const { default: sodium } = await import("libsodium-wrappers");
  await sodium.ready;
  return sodium;
}
