/** The parts of libsodium that are used. */
export type Sodium = typeof import("libsodium-wrappers").default;

/** Loads the library, which takes long; resolves once it is ready. */
export async function loadSodium(): Promise<Sodium> {
  const { default: sodium } = await import("libsodium-wrappers");
  await sodium.ready;
  return sodium;
}
