import { type Codec, DecodeError, type LogLevel, method, type Runtime, t } from "@plinth/core";

const LEVELS: Readonly<Record<string, LogLevel>> = {
  OFF: "off",
  ERROR: "error",
  WARN: "warn",
  INFO: "info",
  DEBUG: "debug",
  TRACE: "trace",
  ALL: "trace",
};

/** Every name is remembered, for loggers that are still to be made. */
const MOST_NAMES = 100;

const level: Codec<string> = {
  ...t.text,
  decode(json, path = "") {
    if (typeof json === "string" && Object.hasOwn(LEVELS, json)) return json;
    const expected = `one of ${Object.keys(LEVELS).join(", ")}`;
    throw new DecodeError(path, expected, "Invalid log level params (missing or incorrect)");
  },
};

const names = t.array(t.text);
const filter: Codec<readonly string[]> = {
  ...names,
  decode(json, path = "") {
    const found = names.decode(json, path);
    if (found.length <= MOST_NAMES) return found;
    throw new DecodeError(path, `at most ${MOST_NAMES} names`);
  },
};

/** `admin_changeLogLevel`: how much is logged, by all or by some. */
export const changeLogLevel = method({
  summary: "Sets how much is logged: by the loggers with these names, or by all.",
  params: { level, filter: t.withText(t.optional(filter), "Invalid log filter params") },
  result: t.text,
  example: { params: ["DEBUG", ["rpc-eth"]], result: "Success" },
  handle({ level, filter }, { logs, log }: Runtime) {
    const next = LEVELS[level] ?? "info";
    for (const name of filter ?? [undefined]) logs.setLevel(next, name);
    const whom = filter === undefined ? "everything" : JSON.stringify(filter);
    log.info(`the log level of ${whom} is ${level}`);
    return "Success";
  },
});
