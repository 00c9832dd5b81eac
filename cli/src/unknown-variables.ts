import { ConfigError } from "@plinth/core";
import { closestTo, type OptionSchema, toVariableName } from "@plinth/core/kernel";
import { type Environment, findPrefixed, PREFIXES } from "./sources.js";

/** Variables with our prefixes that the program reads besides those of options. */
const OTHERS = ["PLINTH_HOME", "PLINTH_PLUGINS_HOME"];

/** Kubernetes sets these for every service, and a service may have the name of the program. */
const OF_SERVICES =
  /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/** Words in the names of options that protect a node: without them it would be open. */
const SECURITY =
  /(^|_)(AUTH|AUTHENTICATION|CREDENTIALS|JWT|KEYSTORE|MTLS|PERMISSIONS?|PERMISSIONING|PRIVACY|SSL|TLS|TRUSTSTORE)(_|$)/;

/** Variables with the prefix of an option that match none. */
export function findUnknownVariables(
  schema: OptionSchema,
  environment: Environment,
): readonly string[] {
  const given = findPrefixed(environment).filter(
    (variable) =>
      environment[variable] !== undefined &&
      !OTHERS.includes(variable) &&
      !OF_SERVICES.test(variable),
  );
  if (given.length === 0) return [];
  const known = new Set(namesOf(schema));
  return given.filter((variable) => !known.has(split(variable).name)).sort();
}

/** Throws if an unknown variable requests protection that this node does not have. */
export function verifyProtection(variables: readonly string[], environment: Environment): void {
  const unmet = variables.filter(
    (variable) => SECURITY.test(variable) && environment[variable]?.toLowerCase() !== "false",
  );
  if (unmet.length === 0) return;
  throw new ConfigError("VARIABLE_UNKNOWN", {
    message: `This node does not support the security options in the environment: ${unmet.join(", ")}. It would start without their protection; unset them to start it anyway.`,
    variables: unmet,
  });
}

/** Lists variables for a log line, each with the most similar option. */
export function describeUnknown(variables: readonly string[], schema: OptionSchema): string {
  const known = namesOf(schema);
  const described = variables.map((variable) => {
    const { prefix, name } = split(variable);
    const [closest] = closestTo(name, known);
    return closest === undefined ? variable : `${variable} (did you mean ${prefix}${closest}?)`;
  });
  const noun = variables.length === 1 ? "environment variable" : "environment variables";
  return `ignoring unknown ${noun}: ${described.join(", ")}`;
}

function split(variable: string): { readonly prefix: string; readonly name: string } {
  const prefix = PREFIXES.find((prefix) => variable.startsWith(prefix)) ?? "";
  return { prefix, name: variable.slice(prefix.length) };
}

function namesOf(schema: OptionSchema): readonly string[] {
  return schema.all().flatMap(({ name, aliases }) => [name, ...aliases].map(toVariableName));
}
