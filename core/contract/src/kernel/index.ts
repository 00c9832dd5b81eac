export { activities } from "./activity.js";
export { sleepOn, within } from "./clock.js";
export { closestTo } from "./closest.js";
export {
  Configuration,
  type DeclaredOption,
  type Given,
  type Layer,
  OptionSchema,
  type Origin,
  type SourceKind,
  suggestionHints,
} from "./config.js";
export { type Contribution, Contributions, sealedError } from "./contributions.js";
export { verifyCanDisable } from "./disable.js";
export { chooseDriver, type Driver, type DriverPoint } from "./drivers.js";
export { type ErrorDetails, PluginError, readableError } from "./errors.js";
export { escapeLine } from "./escape-controls.js";
export { findCulprit } from "./find-culprit.js";
export {
  type HealthReport,
  type HealthStatus,
  type NamedHealth,
  runCheck,
  worst,
} from "./health.js";
export {
  type CheckHook,
  type DecideHook,
  type EarlyCheckHook,
  facadesFor,
  type HookDocs,
  HookFactory,
  type HookKind,
  type NotifyHook,
  type ObserveHook,
  type RefineHook,
  type RewriteHook,
  type TapFailure,
  type Tappable,
} from "./hooks.js";
export {
  createLogs,
  createLogsTo,
  createLogWriter,
  type LogFormat,
  type LogSettings,
  type Logs,
  silentLogs,
} from "./log.js";
export type { LogDriverSettings, LogWriter } from "./log-driver.js";
export type { LogLevel, LogLine } from "./log-line.js";
export { type BlockedLoop, watchEventLoop } from "./loop-watch.js";
export {
  type Collect,
  type Labels,
  type MetricFamily,
  type MetricSettings,
  MetricsRegistry,
  type Sample,
} from "./metrics.js";
export { type KindForm, kindOf, type ValueContext, ValueProblem } from "./option-kinds.js";
export { type OptionSettings, toOptionKey, toVariableName } from "./options.js";
export { type Phase, PhaseMachine } from "./phases.js";
export { type Activation, type ListenerOptions, markPlugin, verifyPlugin } from "./plugin.js";
export { PluginInstance } from "./plugin-instance.js";
export { type OrderedPlugin, resolveOrder } from "./resolve-order.js";
export { isOptional, Services, serviceOf, type Unavailable } from "./services.js";
export { findPlace } from "./stack-files.js";
export { TapWatch } from "./tap-watch.js";
export type { TaskFailure } from "./tasks.js";
export { coreVersion, formatClientVersion } from "./version.js";
export { type NewFile, verifyTarget, writeFolder } from "./write-folder.js";
