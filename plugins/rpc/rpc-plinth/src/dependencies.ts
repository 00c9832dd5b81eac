import { optional } from "@plinth/core";
import { diskUsage } from "@plinth/plugin-disk-usage/api";

/** The services that methods use. */
export const dependencies = { disk: optional(diskUsage) };
