export { closestTo } from "../primitives/closest.js";
export { sleepOn, type WithinLimit, within } from "./clock.js";
export { type Contribution, Contributions, sealedError } from "./contributions.js";
export { chooseDriver, type Driver, type DriverPoint } from "./drivers.js";
export { type ErrorDetails, PluginError, readableError } from "./errors.js";
export {
  type CheckHook,
  type DecideHook,
  type EarlyCheckHook,
  type Expected,
  facadesFor,
  type Hook,
  type HookDocs,
  type HookFacades,
  HookFactory,
  type HookKind,
  type NotifyHook,
  type ObserveHook,
  type RefineHook,
  type RewriteHook,
  type TapFailure,
  type Tappable,
  type TapRuntime,
  type TapStage,
} from "./hooks.js";
export { isProcessRunning } from "./is-process-running.js";
export { escapeLine } from "./logs/escape-controls.js";
export {
  createLogs,
  createLogsTo,
  createLogWriter,
  LOG_FORMATS,
  type LogFormat,
  type LogSettings,
  type Logs,
  silentLogs,
} from "./logs/log.js";
export type { LogDriverSettings, LogWriter } from "./logs/log-driver.js";
export type { LogLevel, LogLine } from "./logs/log-line.js";
export {
  Configuration,
  type ConfiguredValues,
  type DeclaredOption,
  type Given,
  type Layer,
  OptionSchema,
  type Origin,
  type SourceKind,
  suggestionHints,
  type ValueWithoutEffect,
} from "./options/config.js";
export {
  type KindForm,
  kindOf,
  type OptionKind,
  type ValueContext,
  ValueProblem,
} from "./options/option-kinds.js";
export { type OptionSettings, toOptionKey, toVariableName } from "./options/options.js";
export { type Phase, PhaseMachine } from "./phases.js";
export { verifyCanDisable } from "./plugins/disable.js";
export { type Culprit, findCulprit, type PluginFile } from "./plugins/find-culprit.js";
export {
  type Activation,
  type ListenerOptions,
  markPlugin,
  type PluginShape,
  verifyPlugin,
} from "./plugins/plugin.js";
export { PluginInstance } from "./plugins/plugin-instance.js";
export { type OrderedPlugin, resolveOrder } from "./plugins/resolve-order.js";
export { findPlace } from "./plugins/stack-files.js";
export type { SupervisedTasks, TaskFailure } from "./plugins/tasks.js";
export {
  isOptional,
  type Resolved,
  type ServiceFactory,
  Services,
  serviceOf,
  type Unavailable,
} from "./services.js";
export { coreVersion, formatClientVersion } from "./version.js";
export { type Activities, activities, type Occupation } from "./watch/activity.js";
export {
  type HealthReport,
  type HealthStatus,
  type NamedHealth,
  runCheck,
  worst,
} from "./watch/health.js";
export { type BlockedLoop, watchEventLoop } from "./watch/loop-watch.js";
export {
  type Collect,
  type Labels,
  type MetricFamily,
  type MetricSettings,
  MetricsRegistry,
  type Sample,
} from "./watch/metrics.js";
export { type SlowTap, TapWatch } from "./watch/tap-watch.js";
export { type NewFile, verifyTarget, writeFolder } from "./write-folder.js";
