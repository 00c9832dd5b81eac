import { definePlugin, type Hex, hexToBytes, loadCrypto, type Plugin } from "@plinth/core";

/** The name of the driver. */
export const TEST_KEY = "test";

/** A key driver with a published key. */
export function testKey(privateKey: Hex): Plugin {
  return definePlugin({
    name: "keys-test",
    setup: ({ keys }) =>
      keys.driver({
        name: TEST_KEY,
        async open() {
          const { publicKeyOf, addressOf, sign, agree } = await loadCrypto();
          const key = hexToBytes(privateKey);
          const publicKey = publicKeyOf(key);
          return {
            publicKey,
            address: addressOf(publicKey),
            sign: async (hash) => sign(hexToBytes(hash), key),
            agree: async (other) => agree(key, other),
          };
        },
      }),
  });
}
