import { definePlugin } from "@plinth/core";
import { registerDiskUsage } from "./register.js";
import { diskUsage } from "./service.js";

export default definePlugin({
  name: "disk-usage",
  provides: [diskUsage],
  setup: registerDiskUsage,
});
