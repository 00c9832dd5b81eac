import { defineDriverPoint } from "../kernel/drivers.js";
import type { StorageDriver } from "./store.js";

/** The contribution point of storage drivers. */
export const storageDrivers = defineDriverPoint<StorageDriver>("storage.driver", {
  option: "key-value-storage",
  summary: "Stores the data of the node.",
});
