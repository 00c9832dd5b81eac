import { defineDriverPoint } from "../kernel/drivers.js";
import type { StorageDriver } from "./store.js";

/** Where storage plugins put their drivers. */
export const storageDrivers = defineDriverPoint<StorageDriver>("storage.driver", {
  option: "key-value-storage",
  summary: "Where the node keeps its data.",
});
