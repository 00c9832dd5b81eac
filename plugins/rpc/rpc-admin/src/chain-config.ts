import type { Compatibility } from "@plinth/core";

/** Besu's spelling of option names, by their lower-case form in genesis files. */
const ENGINE_NAMES: Readonly<Record<string, string>> = {
  blockperiodseconds: "blockPeriodSeconds",
  duplicatemessagelimit: "duplicateMessageLimit",
  epochlength: "epochLength",
  futuremessageslimit: "futureMessagesLimit",
  futuremessagesmaxdistance: "futureMessagesMaxDistance",
  gossipedhistorylimit: "gossipedHistoryLimit",
  messagequeuelimit: "messageQueueLimit",
  requesttimeoutseconds: "requestTimeoutSeconds",
};

/** Options that clients do not expect here: bootnodes, scheduled changes, reward recipients. */
const LEFT_OUT = ["transitions", "discovery", "checkpoint"];
const LEFT_OUT_OF_ENGINES = ["blockreward", "miningbeneficiary"];

/**
 * The chain options that are set, in the spelling of the genesis file; those of its engine in
 * Besu's spelling in Besu mode.
 */
export function chainConfigOf(
  genesis: object,
  { mode }: Pick<Compatibility, "mode">,
): Readonly<Record<string, unknown>> {
  const key = Object.keys(genesis).find((name) => name.toLowerCase() === "config") ?? "config";
  const config: object = Object(Reflect.get(genesis, key));
  const names = mode === "besu" ? ENGINE_NAMES : {};
  const members = Object.entries(config).filter(
    ([name, value]) => value !== null && value !== false && !LEFT_OUT.includes(name.toLowerCase()),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, showMember(value, names)]));
}

function showMember(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(
    ([name]) => !LEFT_OUT_OF_ENGINES.includes(name.toLowerCase()),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [names[name.toLowerCase()] ?? name, member]),
  );
}
