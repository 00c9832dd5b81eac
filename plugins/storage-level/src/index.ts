import { definePlugin } from "@plinth/core";
import { createLevelStorageDriver } from "./level-store.js";

export default definePlugin({
  name: "storage-level",
  setup(node) {
    node.storage.driver(createLevelStorageDriver());
  },
});
