import { definePlugin, option } from "@plinth/core";
import { registerAddressIndex } from "./register.js";
import { addressIndex } from "./service.js";

export default definePlugin({
  name: "address-index",
  provides: [addressIndex],
  options: {
    addressIndexEnabled: option.flag({
      summary:
        "Keeps an index of transactions by address, of the creators of contracts, and of transactions by sender and nonce; block explorers need it.",
    }),
  },
  setup(node) {
    registerAddressIndex(node, { isEnabled: node.config.addressIndexEnabled });
  },
});
