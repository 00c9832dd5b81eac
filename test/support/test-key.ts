import { definePlugin, getCrypto, hexToBytes, type Plugin } from "@plinth/core";

/** A key driver named `test` with a published key. */
export function testKey(key: Uint8Array): Plugin {
  const { publicKeyOf, addressOf, sign, agree } = getCrypto();
  const publicKey = publicKeyOf(key);
  return definePlugin({
    name: "keys-test",
    setup: ({ keys }) =>
      keys.driver({
        name: "test",
        open: async () => ({
          publicKey,
          address: addressOf(publicKey),
          sign: async (hash) => sign(hexToBytes(hash), key),
          agree: async (other) => agree(key, other),
        }),
      }),
  });
}
