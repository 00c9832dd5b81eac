export { CORE_DRIVERS, createManifest, DRIVER_POINTS } from "./create-manifest.js";
export { type OptionForm, type OptionForms, optionOf } from "./option-form.js";
export {
  MANIFEST_VERSION,
  type ManifestCommand,
  type ManifestEngine,
  type ManifestUses,
  type PluginManifest,
} from "./plugin-manifest.js";
export { createStandIn, type SharedOptions } from "./stand-in.js";
export { verifyManifest } from "./verify-manifest.js";
