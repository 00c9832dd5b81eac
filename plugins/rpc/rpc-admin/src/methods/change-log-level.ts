import { type Codec, DecodeError, method, RpcError, type Runtime, t } from "@plinth/core";
import type { LogLevel } from "@plinth/core/kernel";
import { findBesuLoggers } from "../besu-packages.js";

const LEVELS: Readonly<Record<string, LogLevel>> = {
  OFF: "off",
  ERROR: "error",
  WARN: "warn",
  INFO: "info",
  DEBUG: "debug",
  TRACE: "trace",
  ALL: "trace",
};

const MOST_NAMES = 100;
/** Maximum length of a name that an error repeats. */
const MAX_SHOWN = 80;

const level: Codec<string> = {
  ...t.text,
  decode(json, path = "") {
    if (typeof json === "string" && Object.hasOwn(LEVELS, json)) return json;
    const expected = `one of ${Object.keys(LEVELS).join(", ")}`;
    throw new DecodeError(path, expected, "Invalid log level params (missing or incorrect)");
  },
};

const INVALID_FILTER = "Invalid log filter params";
const names = t.array(t.text);
const filter: Codec<readonly string[]> = {
  ...names,
  decode(json, path = "") {
    const found = names.decode(json, path);
    if (found.length <= MOST_NAMES) return found;
    throw new DecodeError(path, `at most ${MOST_NAMES} names`);
  },
};

/** `admin_changeLogLevel`: sets the log level of all or some loggers. */
export const changeLogLevel = method({
  summary: "Sets the log level of the named loggers, or of all.",
  params: { level, filter: t.withText(t.optional(filter), INVALID_FILTER) },
  result: t.text,
  example: { params: ["DEBUG", ["rpc-eth"]], result: "Success" },
  handle({ level, filter }, runtime: Runtime) {
    const { logs, log } = runtime;
    const next = LEVELS[level] ?? "info";
    const names = filter && [...new Set(filter.flatMap((name) => loggersOf(name, runtime)))];
    for (const name of names ?? [undefined]) logs.setLevel(next, name);
    const whom = names === undefined ? "everything" : JSON.stringify(names);
    log.info(`the log level of ${whom} is ${level}`);
    return "Success";
  },
});

/**
 * The loggers that a caller names, by their own names or by Besu's; Besu accepts unknown names,
 * which have no effect.
 */
function loggersOf(name: string, { logs, plugins, compatibility }: Runtime): readonly string[] {
  const known = [...new Set([...logs.names(), ...plugins.names()])].sort();
  const found = known.includes(name) ? [name] : findBesuLoggers(name, known);
  if (found !== undefined) return found;
  if (compatibility.mode === "besu") return [];
  throw RpcError.invalidParams(
    `${INVALID_FILTER}: filter: unknown logger ${JSON.stringify(name.slice(0, MAX_SHOWN))}; known loggers are ${known.join(", ")}, and packages of Besu are mapped to them`,
  );
}
